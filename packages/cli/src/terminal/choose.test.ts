import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { askText, choose, chooseMany } from "./index.ts";

const ESCAPE = "\u001B";
const CHOICES = [
  { value: "yes", label: "Trust this folder" },
  { value: "no", label: "Leave it" },
];

describe("choose", () => {
  it.each([true, false])(
    "C-01 Escape is shown as nothing chosen, colours: %s",
    async (hasColors) => {
      const { terminal, last, press } = screen(hasColors);
      const answer = choose({ message: "Trust it?", choices: CHOICES, initial: "yes" }, terminal);
      await vi.waitFor(() => expect(last()).toContain("Trust it?"), 10_000);
      await press(ESCAPE);
      expect(await answer).toBeUndefined();
      expect(last()).toContain("Trust it?");
      expect(last()).toContain("nothing chosen");
      expect(last()).not.toContain("Trust this folder");
    },
  );

  it("C-01 what was chosen is shown", async () => {
    const { terminal, last, press } = screen(true);
    const answer = choose({ message: "Trust it?", choices: CHOICES, initial: "no" }, terminal);
    await vi.waitFor(() => expect(last()).toContain("Trust it?"), 10_000);
    await press("\r");
    expect(await answer).toBe("no");
    expect(last()).toContain("Leave it");
    expect(last()).not.toContain("nothing chosen");
  });

  it("C-01 P-02 what was typed before a question does not answer it", async () => {
    const { terminal, press, type, last } = screen(false);
    type("y\r");
    const answer = askText("Allow it?", terminal);
    await vi.waitFor(() => expect(last()).toContain("Allow it?"), 10_000);
    await press("n");
    await press("\r");
    expect(await answer).toBe("n");
  });

  it("C-01 R-12 neither words that were typed before a question nor letters choose", async () => {
    const { terminal, press, type, last } = screen(false);
    type("jkjk\r");
    const answer = choose({ message: "Trust it?", choices: CHOICES, initial: "no" }, terminal);
    await vi.waitFor(() => expect(last()).toContain("Trust it?"), 10_000);
    for (const letter of "khjlq") await press(letter);
    await press("\r");
    expect(await answer).toBe("no");
  });

  it.each(["\u0004", "\u0003", ESCAPE])("C-01 P-02 %j walks away from a question", async (key) => {
    const { terminal, press, last: lastOf } = screen(false);
    const chosen = choose({ message: "Trust it?", choices: CHOICES, initial: "yes" }, terminal);
    await vi.waitFor(() => expect(lastOf()).toContain("Trust it?"), 10_000);
    await press(key);
    expect(await chosen).toBeUndefined();
    const { terminal: other, press: pressThere, last } = screen(false);
    const answer = askText("Allow it?", other);
    await vi.waitFor(() => expect(last()).toContain("Allow it?"), 10_000);
    await pressThere(key);
    expect(await answer).toBeUndefined();
  });

  it("C-01 of many, what was marked before Escape is not shown as taken", async () => {
    const { terminal, last, press } = screen(false);
    const answer = chooseMany({ message: "Which ones?", choices: CHOICES }, terminal);
    await vi.waitFor(() => expect(last()).toContain("Which ones?"), 10_000);
    await press(" ");
    await press(ESCAPE);
    expect(await answer).toBeUndefined();
    expect(last()).toContain("nothing chosen");
    expect(last()).not.toContain("Trust this folder");
  });
});

/** A terminal without a screen: what was written since the last key. */
function screen(hasColors: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return {
    terminal: { input, output, hasColors },
    last: () => text,
    type: (keys: string) => input.write(keys),
    press: async (key: string) => {
      await new Promise(setImmediate);
      text = "";
      input.write(key);
      await new Promise(setImmediate);
    },
  };
}
