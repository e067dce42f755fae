import type { Console } from "../../console.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import { textOf } from "@skillwright/app/internal";

/** What the agent takes as a request. */
const MAX_LENGTH = 60_000;
const MAX_BYTES = MAX_LENGTH * 4;
/** A pipe that a machine left open says nothing for ever. */
const FIRST_BYTE_MS = 10_000;

/**
 * The words of the command line; from stdin for `-`, or where there are none and something is piped
 * in. Beside words stdin is never touched: nobody can know whether anything will ever come.
 */
export async function readRequest(words: readonly string[], console: Console): Promise<string> {
  const isDash = words.length === 1 && words[0] === "-";
  const isPiped = isDash || (words.length === 0 && console.hasInput);
  if (words.length === 0 && !isPiped) throw usage("what is to be done is not said");
  const request = isPiped ? await pipedRequest(isDash, console) : words.join(" ");
  if (request.trim() === "") throw usage("the request is empty");
  if (request.length > MAX_LENGTH) {
    const message = `the request has ${request.length} characters, at most ${MAX_LENGTH} are taken`;
    throw new CommandFailure(EXIT.usage, message, {
      hint: 'give the long part as a file: skillwright run "summarize it" --file <path>',
    });
  }
  return request;
}

async function pipedRequest(isDash: boolean, console: Console): Promise<string> {
  if (!console.hasInput) console.note("Type the request; Ctrl-D ends it.");
  const input = await console.readInput({
    maxBytes: MAX_BYTES,
    ...(!isDash && { firstByteMs: FIRST_BYTE_MS }),
  });
  if (!input.ok && input.code === "too-large") {
    throw new CommandFailure(EXIT.usage, "what is piped in is too long for a request", {
      hint: 'give it as data: skillwright run "summarize it" --file -',
    });
  }
  if (!input.ok) {
    throw usage(`nothing came from stdin within ${FIRST_BYTE_MS / 1000} seconds`, [
      "or give - to wait for stdin as long as it takes: skillwright run -",
    ]);
  }
  const text = textOf(input.bytes);
  if (text === undefined) throw usage("stdin is not text");
  return text.trim();
}

function usage(message: string, more: readonly string[] = []): CommandFailure {
  const hint = ['say it in your own words: skillwright run "profile sales.csv"', ...more];
  return new CommandFailure(EXIT.usage, message, { hint: hint.join("\n") });
}
