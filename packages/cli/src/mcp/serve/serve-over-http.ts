import type { Logger } from "@skillwright/core";
import { type HttpServing, serveHttp, type SkillServer } from "@skillwright/mcp";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import type { HttpPlace } from "./http-place.ts";

export interface Serving {
  readonly console: Console;
  readonly logger: Logger;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Serves until the signal comes. */
export async function serveOverHttp(
  server: SkillServer,
  place: HttpPlace,
  { console, logger, signal }: Serving,
): Promise<void> {
  const { host, port, allowedHosts, token } = place;
  const options = { host, port, allowedHosts, token, logger };
  const serving = await serveHttp(server, options).catch((error: unknown) => {
    throw cannotListen(error, place);
  });
  noteAddress(serving, place, console);
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  await serving.close();
}

function noteAddress(
  { url }: HttpServing,
  { token, isNewToken }: HttpPlace,
  console: Console,
): void {
  console.note(`Serving at ${url}`);
  console.note(
    isNewToken ? `Token, for this time only: ${token}` : "Token: the one in SKILLWRIGHT_MCP_TOKEN",
  );
  console.note("Clients send it as: Authorization: Bearer <token>");
}

function cannotListen(error: unknown, { host, port }: HttpPlace): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  const hint = code === "EADDRINUSE" ? "leave --port out to take one that is free" : undefined;
  const message = `cannot listen on ${host}, port ${port}: ${code}`;
  return new CommandFailure(EXIT.no, message, { cause: error, ...(hint && { hint }) });
}
