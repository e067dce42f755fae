import { describe, expect, it } from "vitest";
import { createConsole } from "./index.ts";

function consoleOf(columns: number | undefined) {
  const written: string[] = [];
  const stream = {
    write: (text: string) => written.push(text),
    isTTY: true,
    ...(columns !== undefined && { columns }),
  };
  const surroundings = { stdout: stream, stderr: stream, env: {}, cwd: "/" };
  return { console: createConsole(surroundings, {}), written };
}

describe("createConsole", () => {
  it.each([
    [0, 80],
    [undefined, 100],
    [20, 40],
    [132, 132],
  ])("C-01 a terminal of %s columns gets lines of %i", (columns, width) => {
    expect(consoleOf(columns).console.width).toBe(width);
  });

  it("C-01 a terminal that does not know its size gets sentences of 80 columns", () => {
    const { console, written } = consoleOf(0);
    console.note("word ".repeat(30).trim());
    const lines = written.join("").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toHaveLength(79);
  });
});
