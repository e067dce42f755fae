import { displayWidth, truncateWidth, visibleLine } from "@skillwright/core/internal";
import { type Candidate, commonStart, type Completion } from "./completion.ts";
import { type EditBuffer, insertText, removeBetween } from "./edit-buffer.ts";

/** Candidates below the line, one of which may be chosen with Tab. */
export interface Menu extends Completion {
  /** -1 until one is chosen. */
  readonly chosen: number;
}

interface Completed {
  readonly buffer: EditBuffer;
  /** Undefined when there is nothing left to choose. */
  readonly menu?: Menu;
}

/** The first Tab: as much as is certain; the only candidate with a blank behind it. */
export function openMenu(
  buffer: EditBuffer,
  completion: Completion | undefined,
): Completed | undefined {
  const { from = 0, candidates = [] } = completion ?? {};
  const [only] = candidates;
  if (only === undefined) return undefined;
  if (candidates.length === 1) {
    const isOpen = only.value.endsWith("/");
    return { buffer: put(buffer, from, only.value + (isOpen ? "" : " ")) };
  }
  const start = commonStart(candidates);
  const isLonger = start.length > buffer.cursor - from;
  return {
    buffer: isLonger ? put(buffer, from, start) : buffer,
    menu: { from, candidates, chosen: -1 },
  };
}

/** Tab again: the next candidate, or the one before. */
export function nextInMenu(buffer: EditBuffer, menu: Menu, direction: -1 | 1): Completed {
  const { from, candidates, chosen } = menu;
  const { length } = candidates;
  const next =
    chosen === -1 && direction === -1 ? length - 1 : (chosen + direction + length) % length;
  const value = candidates[next]?.value ?? "";
  return { buffer: put(buffer, from, value), menu: { ...menu, chosen: next } };
}

interface MenuPlace {
  readonly columns: number;
  readonly rows: number;
}

/** One line each, those around the chosen one when there are too many. */
export function menuLines(
  { candidates, chosen }: Menu,
  { columns, rows }: MenuPlace,
  paint: { readonly chosen: (text: string) => string; readonly other: (text: string) => string },
): string[] {
  const isCut = candidates.length > rows;
  const room = Math.max(1, isCut ? rows - 1 : rows);
  const first = Math.max(0, Math.min(chosen - room + 1, candidates.length - room));
  const shown = candidates.slice(first, first + room);
  const names = Math.min(
    Math.max(...shown.map(({ value }) => displayWidth(visibleLine(value)))),
    Math.max(8, Math.floor(columns / 2)),
  );
  const lines = shown.map((candidate, index) => {
    const line = lineOf(candidate, names, columns - 1);
    return first + index === chosen ? paint.chosen(line) : paint.other(line);
  });
  const left = candidates.length - shown.length;
  return isCut && rows > 1 ? [...lines, paint.other(`  … ${left} more`)] : lines;
}

function lineOf({ value, description = "" }: Candidate, names: number, columns: number): string {
  const name = truncateWidth(visibleLine(value), names);
  const padded = name + " ".repeat(names - displayWidth(name));
  return truncateWidth(`  ${padded}  ${visibleLine(description)}`.trimEnd(), columns);
}

function put(buffer: EditBuffer, from: number, value: string): EditBuffer {
  return insertText(removeBetween(buffer, from, buffer.cursor), value);
}
