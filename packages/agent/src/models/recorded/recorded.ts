import { errorCode, makeFolder, readRegularFile, writeAtomic } from "@skillwright/core/internal";
import { join } from "node:path";
import { describedAs } from "../decorators/prices.ts";
import type { Model, ModelError, ModelRequest, ModelResponse } from "../model.ts";
import { CANCELED, NO_USAGE } from "../usage.ts";
import type { CassetteRequest, RecordedAnswer } from "./cassette.ts";

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
    ...describedAs(model),
    async decide(request, context) {
      if (context?.signal?.aborted === true) return failed(CANCELED);
      const { cassetteKey, cassetteText, readCassette } = await import("./cassette.ts");
      const kept = redactStrings(keptRequest(model, request, options), redact);
      const key = cassetteKey(kept);
      const file = join(folder, `${key}.json`);
      const text = mode === "record" ? undefined : readText(file);
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
      return isWritten(folder, file, cassetteText(key, kept, answer))
        ? response
        : { ...response, ok: false, error: unwritten(file) };
    },
  };
}

function keptRequest(
  model: Model,
  { system, messages, actions }: ModelRequest,
  { catalogDigest }: RecordedOptions,
): CassetteRequest {
  const { id, sampling } = model;
  return { model: id, ...(sampling && { sampling }), catalogDigest, system, messages, actions };
}

/** Undefined if absent; empty, which no cassette is, if it cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readRegularFile(file, { follow: true }).toString("utf8");
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : "";
  }
}

function isWritten(folder: string, file: string, text: string): boolean {
  try {
    // Cassettes are committed, so their folder is like any other of the project.
    makeFolder(folder, 0o777);
    writeAtomic(file, text);
    return true;
  } catch {
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

/** A copy in which every text, also in names, went through `redact`. */
function redactStrings<Value>(value: Value, redact: (text: string) => string): Value {
  return redacted(value, redact) as Value;
}

function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redacted(item, redact)]),
  );
}
