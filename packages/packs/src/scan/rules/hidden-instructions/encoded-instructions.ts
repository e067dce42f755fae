import type { ScanLine } from "../../context/scan-line.ts";
import { isTaught } from "../../context/teaching-context.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";
import { foldText } from "../../text/fold-character.ts";
import { instructsHarm } from "./instructs-harm.ts";

const SHORTEST = 32;
const LONGEST = 64 * 1024;
const CODE =
  /\b(?:curl|wget|powershell|invoke-expression|subprocess|os\.system|child_process|exec\(|eval\(|__import__|import os|socket\.socket|\/bin\/(?:ba)?sh|bash -|\/dev\/tcp|chmod \+x|nc -)/;
const MOSTLY_TEXT = /^[\t\n\r -~\u00a0-\uffff]*$/;
const ALPHABET = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export const encodedInstructions: ScanCheck = {
  id: "encoded-instructions",
  severity: "high",
  category: "hidden-instructions",
  summary: "A base64 or hex text decodes to commands or to orders for the model.",
  explanation:
    "Encoding keeps a reviewer and a search from reading what a machine will. Data may be encoded; instructions and commands have no reason to be.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      for (const { start, end } of encodedRuns(file.text)) {
        const decoded = decode(file.text.slice(start, Math.min(end, start + LONGEST)));
        if (decoded === undefined) continue;
        const line = file.lineAt(start);
        const harm =
          CODE.exec(decoded)?.[0] ?? instructsHarm(decoded) ?? hiddenAddress(decoded, line);
        if (
          harm === undefined ||
          /data:[\w/+.-]{1,60};base64,$/.test(file.text.slice(Math.max(0, start - 80), start))
        )
          continue;
        const quiet = (file.kind === "prose" && isTaught(line)) || line.quotesAttacks;
        yield {
          line,
          message: `It decodes to text with "${harm}"`,
          severity: quiet ? "medium" : "high",
        };
      }
    }
  },
};

/** A script that keeps the host it talks to from being read. */
function hiddenAddress(decoded: string, line: ScanLine): string | undefined {
  const isDecoded =
    line.zone === "code" &&
    /b64decode|atob\(|base64|decode64|unhexlify|fromhex/.test(line.around(2, 3));
  return isDecoded ? /^https?:\/\/[\w.-]{4,80}/.exec(decoded)?.[0] : undefined;
}

/** Steps over the text, since a run that long cannot fit between two steps. */
function* encodedRuns(text: string): Generator<{ start: number; end: number }> {
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isEncoded(text, at)) continue;
    let start = at;
    while (start > 0 && isEncoded(text, start - 1)) start--;
    let end = at + 1;
    while (end < text.length && isEncoded(text, end)) end++;
    if (end - start >= SHORTEST) yield { start, end };
    at = Math.max(at, end);
  }
}

const isEncoded = (text: string, at: number): boolean => ALPHABET[text.charCodeAt(at)] === 1;

function decode(run: string): string | undefined {
  if (!/[A-Z]/.test(run) && !/^[\da-f]+$/.test(run)) return undefined;
  const isHex = /^[\da-f]+$/i.test(run);
  const text = Buffer.from(run, isHex ? "hex" : "base64").toString("utf8");
  return text.length >= 16 && MOSTLY_TEXT.test(text) ? foldText(text) : undefined;
}
