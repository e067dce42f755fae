import { openSession, openSessionRegistry } from "@skillwright/app/internal";
import type { Skills } from "@skillwright/core";
import type { Console, GlobalOptions } from "../console.ts";

/** The skills whose names complete a word. What is damaged is passed over. */
export async function openRegistry(options: GlobalOptions, console: Console): Promise<Skills> {
  const session = await openSession(options, console, () => undefined);
  return openSessionRegistry(session, options, console);
}
