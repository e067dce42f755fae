import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Model } from "@skillwright/agent";
import { readRegularFile } from "@skillwright/core/internal";
import { CommandFailure, EXIT } from "../exit-code.ts";

const FILE = "model.json";

/** Whose answers the cassettes of a folder are, so that they can be replayed without its key. */
export async function writeRecordedModel(folder: string, model: Model): Promise<void> {
  // What is a program needs no recording: whatever is recorded may answer differently the next time.
  const isDeterministic = false;
  const { id, protocol, contextTokens, maxOutputTokens, acceptsImages, sampling } = model;
  const described = {
    id,
    protocol,
    contextTokens,
    maxOutputTokens,
    acceptsImages,
    sampling,
    isDeterministic,
  };
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ schemaVersion: 1, ...described }, null, 2);
  await writeFile(join(folder, FILE), `${text}\n`);
}

/** Of all recorded answers: two replays with the same digest differ by nothing that a model decided. */
export function recordingDigest(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".json")).toSorted()) {
    hash.update(JSON.stringify(file)).update(readRegularFile(join(folder, file), { follow: true }));
  }
  return `sha256:${hash.digest("hex")}`;
}

/** That model, which only answers from cassettes. */
export function readRecordedModel(
  folder: string,
  name: string | undefined,
): { readonly model: Model; readonly isDeterministic: boolean } {
  const { isDeterministic, ...described } = readFields(folder);
  const { id } = described;
  if (name !== undefined && name !== id) {
    throw new CommandFailure(EXIT.usage, `${folder} holds answers of ${id}, not of ${name}`, {
      hint: "leave --model out, or record that model",
    });
  }
  const model: Model = {
    ...described,
    async decide() {
      throw new TypeError("a replay asks no model");
    },
  };
  return { model, isDeterministic };
}

function readFields(folder: string): Omit<Model, "decide"> & { readonly isDeterministic: boolean } {
  const file = join(folder, FILE);
  const hint = "record them first: skillwright eval --model <provider:name> --record <folder>";
  let fields: Partial<Record<string, unknown>>;
  try {
    fields = (JSON.parse(readFileSync(file, "utf8")) ?? {}) as typeof fields;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const message = isMissing ? `there are no recorded answers in ${folder}` : `${file} is damaged`;
    throw new CommandFailure(isMissing ? EXIT.missing : EXIT.usage, message, { hint });
  }
  const { id, protocol, contextTokens, maxOutputTokens, acceptsImages, sampling } = fields;
  const isKnown = protocol === "tools" || protocol === "json";
  if (typeof id === "string" && isKnown && typeof contextTokens === "number") {
    return {
      id,
      protocol,
      contextTokens,
      isDeterministic: fields["isDeterministic"] === true,
      ...(typeof maxOutputTokens === "number" && { maxOutputTokens }),
      ...(typeof acceptsImages === "boolean" && { acceptsImages }),
      ...(typeof sampling === "object" && sampling !== null && { sampling }),
    };
  }
  throw new CommandFailure(EXIT.usage, `${file} is damaged`, { hint });
}
