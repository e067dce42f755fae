import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type EditorTerminal, LineEditor, TypedAhead } from "../../index.ts";

function terminal(columns = 40, rows = 10) {
  const modes: boolean[] = [];
  let written = "";
  const input = Object.assign(new PassThrough(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const output = Object.assign(new EventEmitter(), {
    write: (text: string) => (written += text),
    columns,
    rows,
  });
  const place: EditorTerminal = { input, output };
  const plain = (text: string) => text;
  const editor = new LineEditor(place, {
    prompt: "> ",
    history: () => ["before"],
    complete: () => undefined,
    paint: { prompt: plain, chosen: plain, other: plain },
  });
  return { input, output, editor, modes, written: () => written };
}

describe("the line editor", () => {
  it("C-01 reads keys in raw mode and gives the terminal back", async () => {
    const { input, editor, modes, written } = terminal();
    const reading = editor.read("he");
    input.write("llo 中\u007f\r");
    expect(await reading).toEqual({ kind: "line", text: "hello " });
    expect(modes).toEqual([true, false]);
    expect(written().startsWith("\u001B[?2004h")).toBe(true);
    expect(written().endsWith("\r\n\u001B[?2004l")).toBe(true);
    expect(input.listenerCount("keypress")).toBe(0);
    expect(input.isPaused()).toBe(true);
  });

  it("C-01 what comes in one go behind a return is in the next line, and not sent", async () => {
    const { input, editor } = terminal();
    const first = editor.read();
    input.write("one\rtwo\rth");
    expect(await first).toEqual({ kind: "line", text: "one" });
    const second = editor.read("ree");
    input.write("\r");
    expect(await second).toEqual({ kind: "line", text: "two\nthree" });
  });

  it("C-01 ends when the input does", async () => {
    const { input, editor } = terminal();
    const reading = editor.read();
    input.end();
    expect(await reading).toEqual({ kind: "end" });
  });

  it("C-01 draws anew when the terminal gets another size, from where the line then begins", async () => {
    const { input, output, editor, written } = terminal(40);
    const reading = editor.read();
    input.write("a".repeat(30));
    await setImmediate();
    const before = written().length;
    output.columns = 20;
    output.emit("resize");
    // The one line of 32 columns has become two, and the cursor is in the second.
    const drawn = `\u001B[1A\r\u001B[J> ${"a".repeat(17)}\r\n  ${"a".repeat(13)}`;
    expect(written().slice(before).startsWith(drawn)).toBe(true);
    input.write("\r");
    await reading;
    expect(output.listenerCount("resize")).toBe(0);
  });
});

describe("keys while nobody reads a line", () => {
  it("P-02 are kept for the next line and never sent; control-C is passed on", async () => {
    const { input, modes } = terminal();
    let interrupts = 0;
    const ahead = new TypedAhead(input, () => interrupts++);
    ahead.start();
    input.write("yes\rno\u0003\u007f");
    await setImmediate();
    ahead.pause();
    input.write("not for it");
    await setImmediate();
    expect([ahead.end(), interrupts]).toEqual(["yes\nn", 1]);
    expect(modes.at(-1)).toBe(false);
    expect(ahead.end()).toBe("");
  });

  it("C-01 the third control-C in a row finds the terminal as it was, since it ends the process", async () => {
    const { input, modes } = terminal();
    const seen: (boolean | undefined)[] = [];
    const ahead = new TypedAhead(input, () => seen.push(modes.at(-1)));
    ahead.start();
    input.write("\u0003\u0003\u0003");
    await setImmediate();
    expect(seen).toEqual([true, true, false]);
    ahead.end();
  });
});
