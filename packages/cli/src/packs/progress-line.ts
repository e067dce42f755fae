import type { PackProgress } from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";

const PHASES: Readonly<Record<PackProgress["phase"], string>> = {
  fetch: "fetching",
  unpack: "unpacking",
  check: "checking",
  scan: "scanning",
  stage: "staging",
  place: "placing",
  verify: "verifying",
  pack: "packing",
};

const KIBIBYTE = 1024;

/** What is being done, on one line. */
export function progressLine({ phase, done, total, unit, detail }: PackProgress): string {
  const amount = (count: number) =>
    unit === "bytes" ? `${Math.round(count / KIBIBYTE)} KiB` : String(count);
  const of = total === undefined ? amount(done) : `${amount(done)}/${amount(total)}`;
  const what = detail === undefined ? "" : ` ${visibleLine(detail)}`;
  return `${PHASES[phase]} … ${of}${unit === "bytes" ? "" : ` ${unit}`}${what}`;
}
