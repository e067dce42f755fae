import type { Diagnostic } from "@skillwright/core";
import { lineAndColumnAt } from "./line-and-column-at.ts";
import type { ArtifactLocation } from "./to-artifact-location.ts";
import { toMessage } from "./to-message.ts";

/**
 * The edits of a diagnostic (fix, §3.55). Lines and columns, not offsets: those of the normalised
 * text are also right in a file with a BOM or CRLF newlines.
 */
export function toFix(
  { code, fix = [], hint }: Diagnostic,
  text: string,
  artifactLocation: ArtifactLocation,
) {
  const replacements = fix.map((edit) => {
    const start = lineAndColumnAt(text, edit.start);
    const end = lineAndColumnAt(text, Math.max(edit.start, edit.end));
    return {
      deletedRegion: {
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
      },
      ...(edit.text === "" ? {} : { insertedContent: { text: edit.text } }),
    };
  });
  return {
    description: toMessage(hint ?? `Fix ${code}`),
    artifactChanges: [{ artifactLocation, replacements }],
  };
}
