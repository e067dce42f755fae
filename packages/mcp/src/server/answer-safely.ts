import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Logger } from "@skillwright/core";

/**
 * Lets errors that are meant for the client through. Of any other, which is a bug or the machine's, the
 * client hears only that there was one: its message may name what is nobody's business.
 */
export async function answerSafely<Result>(
  method: string,
  logger: Logger | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    logger?.error(`${method} failed`, { error: String(error) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${method} failed in the server`);
  }
}
