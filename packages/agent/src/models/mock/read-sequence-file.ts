import * as z from "zod";
import type { SequenceEntry } from "./create-sequence-model.ts";
import { type MockFileFailure, readMockFile } from "./read-mock-file.ts";

export type SequenceFileResult =
  | { readonly ok: true; readonly actions: readonly SequenceEntry[] }
  | MockFileFailure;

const sequenceSchema = z.object({
  actions: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
});

export async function readSequenceFile(path: string): Promise<SequenceFileResult> {
  const read = await readMockFile(path, sequenceSchema);
  return read.ok ? { ok: true, actions: read.content.actions } : read;
}
