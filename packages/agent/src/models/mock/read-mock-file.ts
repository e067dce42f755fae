import type { Failure } from "@skillwright/core";
import {
  errorCode,
  quoteLine,
  readRegularFile,
  truncate,
  UnusableFileError,
  visibleLines,
} from "@skillwright/core/internal";
import * as z from "zod";

export type MockFileFailure = Failure<"file-not-found" | "file-unreadable" | "file-invalid">;

export type MockFileResult<Content> =
  | { readonly ok: true; readonly content: Content }
  | MockFileFailure;

const MAX_BYTES = 8 * 1024 * 1024;

/** A JSON file of decisions or rules, checked against its schema. Never throws. */
export async function readMockFile<Content>(
  path: string,
  schema: z.ZodType<Content>,
): Promise<MockFileResult<Content>> {
  const shown = `"${quoteLine(path, 200)}"`;
  let text: string;
  try {
    text = readRegularFile(path, { maxBytes: MAX_BYTES, follow: true }).toString("utf8");
  } catch (error) {
    if (error instanceof UnusableFileError && error.reason === "too-large") {
      return invalid(`${shown} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    }
    const code = error instanceof UnusableFileError ? "not a file" : errorCode(error);
    if (code === "ENOENT") {
      return { ok: false, code: "file-not-found", message: `there is no ${shown}` };
    }
    return {
      ok: false,
      code: "file-unreadable",
      message: `${shown} cannot be read (${code ?? "unknown"})`,
    };
  }
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return invalid(`${shown} is not JSON: ${error instanceof Error ? error.message : "unknown"}`);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ok: true, content: parsed.data };
  return invalid(`${shown}: ${truncate(visibleLines(z.prettifyError(parsed.error)), 1000)}`);
}

function invalid(message: string): MockFileFailure {
  return { ok: false, code: "file-invalid", message };
}
