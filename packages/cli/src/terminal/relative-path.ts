import { relative, resolve, sep } from "node:path";

/** With forward slashes on every platform; starts with `../` when the file is outside. */
export function relativePath(file: string, cwd: string): string {
  const path = relative(cwd, resolve(cwd, file)).split(sep).join("/");
  return path === "" ? "." : path;
}
