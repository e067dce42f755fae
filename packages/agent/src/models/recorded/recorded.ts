import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CANCELED } from "../canceled.ts";
import type { Model, ModelError, ModelRequest, ModelResponse } from "../model.ts";
import { NO_USAGE } from "../usage.ts";
import type { CassetteRequest, RecordedAnswer } from "./cassette.ts";
import { redactStrings } from "./redact-strings.ts";

export interface RecordedOptions {
  /** One JSON file per request. */
  readonly folder: string;
  /** `auto` records what is missing, but not in CI, where a model must not be asked. */
  readonly mode: "replay" | "record" | "auto";
  /** Of the skills the model can choose from: when they change, so do its answers. */
  readonly catalogDigest: string;
  /** Takes secrets out of a text without cutting it, such as `redactText` of a redactor. */
  readonly redact: (text: string) => string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Answers from cassettes. Failures are not recorded. */
export function recorded(model: Model, options: RecordedOptions): Model {
  const { folder, redact, env = process.env } = options;
  const isCi = !["", "0", "false"].includes(env["CI"] ?? "");
  const mode = options.mode === "auto" && isCi ? "replay" : options.mode;
  return {
    id: model.id,
    protocol: model.protocol,
    contextTokens: model.contextTokens,
    async decide(request, context) {
      if (context?.signal?.aborted === true) return failed(CANCELED);
      const { cassetteKey, cassetteText, readCassette } = await import("./cassette.ts");
      const kept = redactStrings(keptRequest(model, request, options), redact);
      const key = cassetteKey(kept);
      const file = join(folder, `${key}.json`);
      const text = mode === "record" ? undefined : await readText(file);
      if (text !== undefined) {
        const answer = readCassette(text, key);
        if (answer === undefined) return failed(unreadable(file));
        if (answer.message.text !== "") context?.onText?.(answer.message.text);
        return answer;
      }
      if (mode === "replay") return failed(missing(file, model.id));
      const response = await model.decide(request, context);
      if (!response.ok) return response;
      const answer: RecordedAnswer = redactStrings(response, redact);
      const isWritten = await writeWhole(folder, file, cassetteText(key, kept, answer));
      return isWritten ? response : { ...response, ok: false, error: unwritten(file) };
    },
  };
}

function keptRequest(
  model: Model,
  { system, messages, actions }: ModelRequest,
  { catalogDigest }: RecordedOptions,
): CassetteRequest {
  return { model: model.id, catalogDigest, system, messages, actions };
}

/** Undefined when it is not there; what cannot be read is no cassette. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "";
  }
}

/** By rename: a test that is stopped leaves no half cassette. */
async function writeWhole(folder: string, file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, text, { flag: "wx", mode: 0o600 });
    await rename(temporary, file);
    return true;
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
    return false;
  }
}

function missing(file: string, id: string): ModelError {
  return {
    code: "cassette-missing",
    message: `there is no recorded answer of ${id} for this request`,
    retryable: false,
    hint: `Record it where the model can be asked, with mode "record" or "auto" and without CI set, and commit ${file}.`,
  };
}

function unwritten(file: string): ModelError {
  return {
    code: "cassette-missing",
    message: `the answer cannot be recorded: ${file} cannot be written`,
    retryable: false,
    hint: "Check the folder and the space on the disk.",
  };
}

function unreadable(file: string): ModelError {
  return {
    code: "unreadable-answer",
    message: `${file} is no cassette of this request`,
    retryable: false,
    hint: "Delete it and record it again.",
  };
}

function failed(error: ModelError): ModelResponse {
  return { ok: false, error, usage: NO_USAGE, latencyMs: 0 };
}
