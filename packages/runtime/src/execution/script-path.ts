import { quoteName, visibleLine } from "@skillwright/core/internal";
import { executionFailure, type ExecutionFailure } from "./executor.ts";

const FOLDER = "scripts/";
const MAX_LENGTH = 1024;
const MAX_SEGMENT_BYTES = 255;
const OUTSIDE = /^(?:[/\\~]|[a-z]:|[a-z][a-z0-9+.-]+:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i;
/** A dot, slash or backslash that something could decode later. */
const ENCODED = /%(?:25)*(?:2e|2f|5c|00|c0|c1|e0)/i;
/** What Windows takes for a device, a stream, or another name. */
const WINDOWS = /:|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path of a script below its skill. `analyze.py` and `scripts/analyze.py` are the same. Decided
 * by the text alone: nothing is opened, decoded or resolved.
 */
export function parseScriptPath(
  script: string,
): { readonly ok: true; readonly path: string } | ExecutionFailure {
  const shown = quoteName(script, 200);
  if (OUTSIDE.test(script.normalize("NFKC")) || ENCODED.test(script)) {
    return refuse("script-outside", `the script ${shown} is not below the skill's scripts folder`);
  }
  const isPlain = script.normalize("NFKC") === script.normalize("NFC");
  const isHiding = visibleLine(script) !== script;
  if (script.length > MAX_LENGTH || isHiding || script.includes("\\") || !isPlain) {
    return refuse("script-invalid", `the script path ${shown} is not allowed`);
  }
  const plain = script.replace(/^(?:\.\/)+/, "");
  const path = plain.startsWith(FOLDER) ? plain : FOLDER + plain;
  const segments = path.split("/");
  const isNamed = segments.every(
    (segment) =>
      segment !== "" &&
      segment !== "." &&
      Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES &&
      !WINDOWS.test(segment),
  );
  if (!isNamed) return refuse("script-invalid", `the script path ${shown} is not allowed`);
  return { ok: true, path };
}

function refuse(code: "script-outside" | "script-invalid", message: string): ExecutionFailure {
  return executionFailure(
    code,
    message,
    'Name a file of the skill\'s "scripts" folder, such as "analyze.py" or "scripts/analyze.py".',
  );
}
