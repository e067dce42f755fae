import { unifiedDiff } from "@skillwright/core/internal";
import type { ApprovalPreview, CalledScript } from "./approval.ts";
import { cutMiddle, firstHiddenLine, MAX_LINE, showLines } from "./shown-values.ts";

/** A script as it was when it was last approved. */
export interface ApprovedScript {
  readonly digest: string;
  readonly text: string;
}

/** Undefined when it never was; `damaged` when what was kept of it cannot be used. */
export type LastApproved = ApprovedScript | "damaged" | undefined;

export interface Previewed {
  readonly preview: ApprovalPreview;
  readonly cautions: readonly string[];
}

const FIRST_LINES = 40;
const MAX_FIRST_LINE = 1000;
const DIFF = {
  labels: null,
  maxLines: 200,
  maxLineLength: MAX_LINE,
  note: (left: number) => `… ${left} more lines of changes are not shown`,
} as const;

/** The changes since the last approval, or the first lines. */
export async function previewScript(
  { text }: CalledScript,
  lastApproved: LastApproved,
): Promise<Previewed> {
  if (text === undefined) {
    return { preview: {}, cautions: ["the script is not text and cannot be shown"] };
  }
  const last = lastApproved === "damaged" ? undefined : lastApproved;
  const hiddenLine = firstHiddenLine(text);
  const problems = [
    ...(lastApproved === "damaged" ? ["what was kept of the last approved script is damaged"] : []),
    ...(hiddenLine === undefined
      ? []
      : [`the script holds hidden characters, first in line ${hiddenLine}`]),
  ];
  const changes = last === undefined ? undefined : await previewChanges(text, last);
  if (changes !== undefined) {
    return { preview: changes.preview, cautions: [...problems, ...changes.cautions] };
  }
  const lines = text.replace(/\r?\n$/, "").split("\n");
  const first = lines.slice(0, FIRST_LINES);
  const cut = showLines(first.join("\n")).isCut
    ? ["a line of the script is too long to be shown"]
    : [];
  const preview = {
    firstLines: first.map((line) => cutMiddle(line, MAX_FIRST_LINE)).join("\n"),
    moreLines: Math.max(0, lines.length - FIRST_LINES),
    ...(last === undefined ? undefined : { since: last.digest }),
  };
  return { preview, cautions: [...problems, ...cut] };
}

/** Undefined when the script is as it was. */
async function previewChanges(text: string, last: ApprovedScript): Promise<Previewed | undefined> {
  if (text === last.text) return undefined;
  const changes = await unifiedDiff("", last.text, text, DIFF);
  const diff = changes.text.replace(/\n$/, "");
  const moreLines = linesLeftOut(text, diff);
  const isShort = !changes.isCut && !showLines(diff).isCut;
  return {
    preview: { diff, since: last.digest, ...(moreLines > 0 && { moreLines }) },
    cautions: isShort ? [] : ["there are more changes than can be shown"],
  };
}

/** How many lines of the script are not in the diff. */
function linesLeftOut(text: string, diff: string): number {
  const shown = diff.split("\n").filter((line) => /^[ +]/.test(line));
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return lines - shown.length;
}
