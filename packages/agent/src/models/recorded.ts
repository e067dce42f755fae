import {
  errorCode,
  makeFolder,
  readRegularFile,
  writeAtomic,
  checkOptions,
  type OptionKinds,
  oneOf,
} from "@skillwright/core/internal";
import { join } from "node:path";
import { describedAs } from "./decorators/prices.ts";
import type { Model, ModelError, ModelErrorCode } from "./model.ts";
import { CANCELED, failed } from "./usage.ts";

export interface RecordedOptions {
  /** One JSON file per request. */
  readonly folder: string;
  /** `auto` records what is missing, but not in CI, where a model must not be asked. */
  readonly mode: "replay" | "record" | "auto";
  /** Which of several answers to the same request, from 1: each trial of an eval has its own. Default: 1. */
  readonly take?: number;
  /** Takes secrets out of a text without cutting it, such as `redactText` of a redactor. */
  readonly redact: (text: string) => string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const OPTIONS: OptionKinds<RecordedOptions> = {
  folder: "string",
  mode: oneOf("replay", "record", "auto"),
  take: "number",
  redact: "function",
  env: "object",
};

/** Answers from cassettes. Failures are not recorded. */
export function recorded(model: Model, options: RecordedOptions): Model {
  checkOptions("recorded", options, OPTIONS, ["folder", "mode", "redact"]);
  const { folder, take = 1, redact, env = process.env } = options;
  const isCi = !["", "0", "false"].includes(env["CI"] ?? "");
  const mode = options.mode === "auto" && isCi ? "replay" : options.mode;
  return {
    ...describedAs(model),
    async decide(request, context) {
      if (context?.signal?.aborted === true) return failed(CANCELED);
      const { system, messages, actions } = request;
      const { id, sampling } = model;
      const asked = { model: id, ...(sampling && { sampling }) };
      const kept = redacted({ ...asked, system, messages, actions }, redact);
      const { cassetteKey, readCassette, writeCassette } = await import("./cassette.ts");
      const key = cassetteKey(kept);
      const file = join(folder, `${key}${take === 1 ? "" : `.${take}`}.json`);
      const text = mode === "record" ? undefined : readText(file);
      if (text !== undefined) {
        const answer = readCassette(text, key);
        if (answer === undefined) {
          const message = `${file} is not a recording of this request`;
          return failed(problem("unreadable-answer", message, "Delete it and record it again."));
        }
        if (answer.message.text !== "") context?.onText?.(answer.message.text);
        return answer;
      }
      if (mode === "replay") {
        const message = `there is no recorded answer from ${id} for this request`;
        const hint = `Record it where the model can be asked, with mode "record" or "auto" and without CI set, and commit ${file}.`;
        return failed(problem("cassette-missing", message, hint));
      }
      const response = await model.decide(request, context);
      if (!response.ok) return response;
      const cassette = writeCassette(key, kept, redacted(response, redact));
      try {
        // Cassettes are committed, so their folder is like any other of the project.
        makeFolder(folder, 0o777);
        writeAtomic(file, cassette);
        return response;
      } catch {
        const message = `the answer cannot be recorded: ${file} cannot be written`;
        const hint = "Check the folder and the free disk space.";
        return { ...response, ok: false, error: problem("cassette-missing", message, hint) };
      }
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

function problem(code: ModelErrorCode, message: string, hint: string): ModelError {
  return { code, message, retryable: false, hint };
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
