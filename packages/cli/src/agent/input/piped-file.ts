import type { Input, InputLimits } from "../../terminal/read-input.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";

interface Piping {
  readonly hasInput: boolean;
  note(text: string): void;
  readInput(limits: InputLimits): Promise<Input>;
}

/** All that is piped in, as one of the files of a request. */
export async function readPiped(maxBytes: number, console: Piping): Promise<Buffer> {
  if (!console.hasInput) console.note("Type the data; Ctrl-D ends it.");
  const input = await console.readInput({ maxBytes });
  if (input.ok) return input.bytes;
  throw new CommandFailure(EXIT.usage, `more than ${maxBytes} bytes are piped in`, {
    hint: "write it to a file in this folder and name that in the request: scripts read all of it",
  });
}
