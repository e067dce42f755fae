import type { FileEntry } from "../files/list-files.ts";

/** What lies directly in a folder, a line each: files with their size, then `name/` for folders. */
export function directoryLines(files: readonly FileEntry[], directory: string): string[] {
  const depth = directory === "" ? 0 : directory.split("/").length;
  const lines: string[] = [];
  const folders = new Map<string, { count: number; size: number }>();
  for (const { path, size } of files) {
    const [name = "", ...below] = path.split("/").slice(depth);
    if (below.length === 0) {
      lines.push(size === undefined ? name : `${name} (${size} bytes)`);
      continue;
    }
    const folder = folders.get(name) ?? { count: 0, size: 0 };
    folders.set(name, { count: folder.count + 1, size: folder.size + (size ?? 0) });
  }
  for (const [name, { count, size }] of folders) {
    lines.push(`${name}/ (${count} ${count === 1 ? "file" : "files"}, ${size} bytes)`);
  }
  return lines;
}
