import type { ScanFile } from "../../context/scan-line.ts";
import { foldText } from "../../text/fold-character.ts";

/** An interpreter with a file, or a path where a shell expects a command. */
const STARTED =
  /(?:^|[;&|(`]|\b(?:then|do|sudo|nohup|exec|run)\s)[ \t]*((?:(?:ba|z|da)?sh|python3?|node|perl|ruby|sudo|nohup|start-process|open|exec|source|\.|&)\s+(?:-\w{1,8}\s+){0,3})?["'`]?([\w$~{}./\\:-]{2,120})/g;
const MAX_LINE = 300;
const MAX_PLACES = 500;
const FAR_LINES = 80;

const known = new WeakMap<ScanFile, ReadonlyMap<string, readonly number[]>>();

/** True when one of the lines after this one starts the file of that name or path. */
export function isStartedAfter(file: ScanFile, index: number, name: string): boolean {
  let paths = known.get(file);
  if (paths === undefined) known.set(file, (paths = startedPaths(file)));
  return (paths.get(name) ?? []).some((at) => at > index && at <= index + FAR_LINES);
}

/** What a file starts, by path and by name, and in which lines. */
function startedPaths(file: ScanFile): Map<string, number[]> {
  const paths = new Map<string, number[]>();
  for (const [index, line] of file.lines.entries()) {
    for (const [, interpreter, path = ""] of foldText(line.slice(0, MAX_LINE)).matchAll(STARTED)) {
      if (interpreter === undefined && !/[/\\$]/.test(path)) continue;
      const name = path.split(/[/\\]/).at(-1) ?? "";
      for (const key of new Set([path, name])) {
        const places = paths.get(key);
        if (places === undefined) paths.set(key, [index]);
        else if (places.length < MAX_PLACES) places.push(index);
      }
    }
  }
  return paths;
}
