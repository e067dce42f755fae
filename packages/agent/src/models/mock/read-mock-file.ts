import { readFile, stat } from "node:fs/promises";
import type { Failure } from "@skillwright/core";
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
  const shown = JSON.stringify(path.slice(0, 200));
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) {
      return invalid(`${shown} has ${size} bytes; the limit is ${MAX_BYTES}`);
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") {
      return { ok: false, code: "file-not-found", message: `there is no ${shown}` };
    }
    return { ok: false, code: "file-unreadable", message: `${shown} cannot be read (${code})` };
  }
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return invalid(`${shown} is no JSON: ${error instanceof Error ? error.message : "unknown"}`);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ok: true, content: parsed.data };
  return invalid(`${shown}: ${z.prettifyError(parsed.error).slice(0, 1000)}`);
}

function invalid(message: string): MockFileFailure {
  return { ok: false, code: "file-invalid", message };
}
