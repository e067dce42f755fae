import { errorCode, makeFolder, readRegularFile, writeAtomic } from "@skillwright/core/internal";
import { join } from "node:path";
import { describedAs } from "../decorators/prices.ts";
import type { Model, ModelError, ModelResponse } from "../model.ts";
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
  const { folder, catalogDigest, redact, env = process.env } = options;
  const isCi = !["", "0", "false"].includes(env["CI"] ?? "");
  const mode = options.mode === "auto" && isCi ? "replay" : options.mode;
  return {
    ...describedAs(model),
    async decide(request, context) {
      if (context?.signal?.aborted === true) return failed(CANCELED);
      const { cassetteKey, cassetteText, readCassette } = await import("./cassette.ts");
      const { system, messages, actions } = request;
      const { id, sampling } = model;
      const asked = { model: id, ...(sampling && { sampling }), catalogDigest };
      const kept: CassetteRequest = redacted({ ...asked, system, messages, actions }, redact);
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
      const answer: RecordedAnswer = redacted(response, redact);
      return isWritten(folder, file, cassetteText(key, kept, answer))
        ? response
        : { ...response, ok: false, error: unwritten(file) };
    },
  };
}

/** Undefined if absent; empty, and so invalid, if it cannot be read. */
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
  const message = `there is no recorded answer from ${id} for this request`;
  const hint = `Record it where the model can be asked, with mode "record" or "auto" and without CI set, and commit ${file}.`;
  return { code: "cassette-missing", message, retryable: false, hint };
}

function unwritten(file: string): ModelError {
  const message = `the answer cannot be recorded: ${file} cannot be written`;
  const hint = "Check the folder and the free disk space.";
  return { code: "cassette-missing", message, retryable: false, hint };
}

function unreadable(file: string): ModelError {
  const message = `${file} is not a recording of this request`;
  const hint = "Delete it and record it again.";
  return { code: "unreadable-answer", message, retryable: false, hint };
}

function failed(error: ModelError): ModelResponse {
  return { ok: false, error, usage: NO_USAGE, latencyMs: 0 };
}

/** A copy whose texts, including names, went through `redact`. */
function redacted<Value>(value: Value, redact: (text: string) => string): Value {
  const copy = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(copy);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, item]) => [redact(name), copy(item)]),
    );
  };
  return copy(value) as Value;
}
