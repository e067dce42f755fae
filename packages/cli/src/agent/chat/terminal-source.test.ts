import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TerminalSource } from "../index.ts";

const UP = "\u001B[A";
const DOWN = "\u001B[B";
const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;

function terminal(history: readonly string[] = [], columns = 40) {
  const modes: boolean[] = [];
  const seen: (boolean | undefined)[] = [];
  const added: string[] = [];
  let written = "";
  const input = Object.assign(new PassThrough(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const output = Object.assign(new PassThrough(), { columns, rows: 10 });
  output.on("data", (text) => (written += String(text)));
  const source = new TerminalSource(
    { input, output },
    {
      prompt: "> ",
      dim: (text) => text,
      history: { entries: history, add: (text) => added.push(text) },
      complete: (before) => {
        const from = before.lastIndexOf("/");
        if (from === -1) return undefined;
        const values = ["/skills", "/skim", "/src/"];
        const candidates = values
          .filter((value) => value.startsWith(before.slice(from)))
          .map((value) => ({ value, description: `about ${value}` }));
        return { from, candidates };
      },
      onInterrupt: () => seen.push(modes.at(-1)),
    },
  );
  const typed = async (...keys: string[]) => {
    const reading = source.next();
    for (const key of keys) {
      input.write(key);
      await setImmediate();
    }
    const read = await reading;
    return read.kind === "line" ? read.text : read.kind;
  };
  return { input, output, source, modes, seen, added, typed, written: () => written };
}

describe("a line at a terminal", () => {
  it("C-01 is read in raw mode, kept in the history, and the terminal is given back", async () => {
    const { input, output, modes, added, typed, written } = terminal();
    expect(await typed("hello 中\u007f", "\r")).toBe("hello ");
    expect([modes.at(0), modes.at(-1), added]).toEqual([true, false, ["hello "]]);
    expect(written().startsWith("\u001B[?2004h")).toBe(true);
    expect(written().endsWith("\u001B[?2004l")).toBe(true);
    expect([input.listenerCount("data"), output.listenerCount("resize")]).toEqual([0, 0]);
    expect(input.isPaused()).toBe(true);
  });

  it("C-01 a backslash, Ctrl+J and Alt+Return begin a new line", async () => {
    const { typed } = terminal();
    expect(await typed("a\\", "\r", "b", "\n", "c", "\u001B\r", "d", "\r")).toBe("a\nb\nc\nd");
  });

  it("C-01 pasted text is one message, without what a terminal would obey", async () => {
    const { typed } = terminal();
    expect(await typed(paste("> a\r\n\tb\u0003\u001B"), "\r")).toBe("> a\n\tb");
    expect(await typed("x\u001B[20", "0~1\r2\u001B[2", "01~y", "\r")).toBe("x1\n2y");
  });

  it("C-01 a long text is shown as a placeholder and sent whole, from the history too", async () => {
    const long = Array.from({ length: 40 }, (_, i) => `line ${i} $&`).join("\n");
    const other = `${long}!`;
    const { typed, written } = terminal([other]);
    expect(await typed("see ", paste(long), UP, DOWN, "!", "\r")).toBe("see ".concat(long, "!"));
    expect(written()).toContain("see [line 0 $& … 40 lines, text 2]");
    expect(await typed(UP, "\r")).toBe(other);
  });

  it("C-01 up and down go through the history, or what in it begins with the text", async () => {
    const { typed } = terminal(["oldest", "two\nlines"]);
    expect(await typed(UP, "\r")).toBe("two\nlines");
    expect(await typed(UP, UP, "\r")).toBe("oldest");
    expect(await typed("ol", UP, "\r")).toBe("oldest");
    expect(await typed(UP, DOWN, "new", "\r")).toBe("new");
  });

  it("C-01 Tab completes what is certain and lists the rest with descriptions", async () => {
    const { typed, written } = terminal();
    expect(await typed("/sr\t\r")).toBe("/src/");
    expect(await typed("/sk\t", "l\t", "\r")).toBe("/skills ");
    expect(written()).not.toContain("about");
    await typed("/s\t", "\r");
    expect(written()).toMatch(/ {2}\/skills {2}about \/skills\r\n {2}\/skim {4}about/);
  });

  it("C-01 Ctrl-C clears the line, twice leaves; Ctrl-D leaves an empty line", async () => {
    const { typed, written } = terminal();
    expect(await typed("text\u0003", "other", "\r")).toBe("other");
    expect(written()).toContain("Ctrl-C once more leaves");
    expect(await typed("\u0003", "\u0003")).toBe("interrupt");
    expect(await typed("ab\u0001\u0004", "\r")).toBe("b");
    expect(await typed("\u0004")).toBe("end");
  });

  it("C-01 ends when the input does", async () => {
    const { input, source } = terminal();
    const reading = source.next();
    input.end();
    expect(await reading).toEqual({ kind: "end" });
  });

  it("C-01 what comes in one go behind a Return is in the next line, and not sent", async () => {
    const { input, source, typed } = terminal();
    const first = source.next();
    input.write("one\rtwo\rth");
    expect(await first).toEqual({ kind: "line", text: "one" });
    expect(await typed("ree", "\r")).toBe("two\nthree");
  });
});

describe("keys while nobody reads a line", () => {
  it("P-02 are kept for the next line and never sent; Ctrl-C is passed on", async () => {
    const { input, source, typed, seen } = terminal();
    source.watch();
    input.write(`yes\r${DOWN}no\u0003\u007f`);
    await setImmediate();
    source.release();
    input.write("for a question");
    expect([String(input.read()), seen]).toEqual(["for a question", [true]]);
    expect(await typed("t", "\r")).toBe("yes\nnt");
  });

  it("C-01 the third Ctrl-C in a row finds the terminal as it was, since it ends the process", async () => {
    const { input, source, seen } = terminal();
    source.watch();
    input.write("\u0003\u0003\u0003");
    await setImmediate();
    expect(seen).toEqual([true, true, false]);
  });
});
