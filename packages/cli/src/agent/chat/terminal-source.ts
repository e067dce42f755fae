import type { Console } from "../../console.ts";
import { completeChat, type CompletionPlace } from "./complete-chat.ts";
import { type EditorTerminal, LineEditor } from "./editor/line-editor.ts";
import { TypedAhead } from "./editor/typed-ahead.ts";
import type { InputHistory } from "./input-history.ts";
import type { InputSource } from "./input-source.ts";

interface TerminalSource extends InputSource {
  /** The keyboard while a turn works; Ctrl-C is passed on as the signal that it usually is. */
  readonly typedAhead: TypedAhead;
}

/** A person at a terminal. Only where `canAsk`. */
export function terminalSource(
  { streams: { stdin, stderr }, noteColors }: Console,
  history: InputHistory,
  place: CompletionPlace,
): TerminalSource | undefined {
  if (stdin === undefined) return undefined;
  const { bold, cyan, dim } = noteColors;
  const input = stdin() as EditorTerminal["input"];
  // What is a terminal is also a stream.
  const terminal = { input, output: stderr as unknown as EditorTerminal["output"] };
  const editor = new LineEditor(terminal, {
    prompt: "> ",
    history: () => history.entries,
    complete: (text) => completeChat(text, place),
    paint: { prompt: (text) => bold(cyan(text)), chosen: bold, other: dim },
  });
  return {
    typedAhead: new TypedAhead(input, passOn),
    async next(begun) {
      const read = await editor.read(begun);
      if (read.kind === "line") history.add(read.text);
      return read;
    },
    close: () => input.pause(),
  };
}

/** Listeners exist only during a turn; between turns the signal does nothing. */
function passOn(): void {
  process.emit("SIGINT", "SIGINT");
}
