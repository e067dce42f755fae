import { type Language, languageOf } from "./file-kind.ts";

export type Zone = "prose" | "heading" | "fence" | "comment" | "frontmatter" | "code" | "config";

export interface LineZone {
  readonly zone: Zone;
  /** Headings above without the title of the page, lower case, nearest last. */
  readonly headings: string;
  readonly language: Language;
  /** First line of the fence or of the comment. */
  readonly blockStart: number;
}

const FENCE = /^ {0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)/;
const FIRST = /\S/;
const MAX_HEADING = 200;

/** What each line of a Markdown text is. */
export function markdownZones(lines: readonly string[]): LineZone[] {
  const headings: string[] = [];
  const zones: LineZone[] = [];
  let current: LineZone = { zone: "prose", headings: "", language: "other", blockStart: 0 };
  let fence = "";
  let comment = false;
  let frontmatter = /^\uFEFF?---\s*$/.test(lines[0] ?? "");
  for (const [index, line] of lines.entries()) {
    const first = line.charAt(line.charCodeAt(0) > 32 ? 0 : line.search(FIRST));
    if (frontmatter) {
      zones.push({ ...current, zone: "frontmatter" });
      if (index > 0 && line.startsWith("---")) frontmatter = false;
    } else if (fence !== "") {
      const marker = first === "`" || first === "~" ? FENCE.exec(line) : null;
      const closes = marker !== null && (marker[1] ?? "").startsWith(fence) && marker[2] === "";
      if (closes) {
        fence = "";
        current = { ...current, zone: "prose", language: "other" };
      }
      zones.push(current);
    } else if (comment) {
      zones.push(current);
      if (line.includes("-->")) {
        comment = false;
        current = { ...current, zone: "prose" };
      }
    } else if ((first === "`" || first === "~") && FENCE.test(line)) {
      zones.push(current);
      const marker = FENCE.exec(line);
      fence = (marker?.[1] ?? "").slice(0, 3);
      const language = languageOf((marker?.[2] ?? "").toLowerCase());
      current = { ...current, zone: "fence", language, blockStart: index + 1 };
    } else if (opensComment(line)) {
      comment = true;
      current = { ...current, zone: "comment", blockStart: index };
      zones.push(current);
    } else if (first === "#" && HEADING.test(line)) {
      const [, marks = "", title = ""] = HEADING.exec(line) ?? [];
      headings.length = Math.min(headings.length, marks.length - 1);
      headings[marks.length - 1] = title.slice(0, MAX_HEADING);
      const trail = headings.slice(1).filter(Boolean).join(" › ").toLowerCase();
      current = { zone: "prose", headings: trail, language: "other", blockStart: index };
      zones.push({ ...current, zone: "heading" });
    } else {
      zones.push(current);
    }
  }
  return zones;
}

const LIST_ITEM = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s|^\s{2,}\S|^\|/;
const FARTHEST = 60;

/** The line that introduces another: before its fence, list or table; -1 when none is near. */
export function leadOf(
  lines: readonly string[],
  zones: readonly LineZone[],
  index: number,
): number {
  const inFence = zones[index]?.zone === "fence";
  let at = inFence ? (zones[index]?.blockStart ?? 0) - 2 : index - 1;
  for (const last = Math.max(0, index - FARTHEST); at >= last; at--) {
    const { zone } = zones[at] ?? {};
    const line = lines[at] ?? "";
    if (zone === "heading") return at;
    if (zone === "prose" && line.trim() !== "" && !LIST_ITEM.test(line) && !FENCE.test(line))
      return at;
    if (zone === "frontmatter") return -1;
  }
  return -1;
}

function opensComment(line: string): boolean {
  const opened = line.lastIndexOf("<!--");
  return opened !== -1 && !line.includes("-->", opened);
}
