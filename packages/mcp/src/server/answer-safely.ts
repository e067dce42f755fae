import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Logger } from "@skillwright/core";
import type { HidePaths } from "./path-hider.ts";

interface AnswerOptions {
  readonly method: string;
  readonly logger: Logger | undefined;
  readonly hidePaths: HidePaths;
}

/**
 * Lets errors that are meant for the client through. Of any other, which is a bug or the machine's, the
 * client hears only that there was one: its message may name what is nobody's business.
 */
export async function answerSafely<Result>(
  { method, logger, hidePaths }: AnswerOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw withoutPaths(error, hidePaths);
    logger?.error(`${method} failed`, { error: String(error) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${method} failed in the server`);
  }
}

function withoutPaths(error: ProtocolError, hidePaths: HidePaths): ProtocolError {
  const message = hidePaths(error.message);
  return message === error.message ? error : new ProtocolError(error.code, message);
}
