import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { hasTmux, TmuxTerminal } from "../support/tmux-terminal.ts";

const SALES = "city,amount\nBonn,3\nKöln,5\nBonn,9\n";

function world() {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/sales.csv": SALES,
    "home/.keep": "",
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), LANG: "C.UTF-8" };
  return { cwd: join(folder, "project"), env };
}

const REQUEST = '"max amount by city in sales.csv"';

describe.skipIf(!hasTmux).each([
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
])("a terminal of $columns × $rows", (size) => {
  const start = (args: string) => new TmuxTerminal(args, { ...world(), ...size });

  it("P-02 C-01 an approval and its question fit on the screen", async () => {
    const terminal = start(`run --model offline --sandbox none ${REQUEST}`);
    await terminal.shows("Allow run_script?");
    const { visible } = terminal;
    show("approval", visible, size);
    for (const part of ["aggregate.mjs", "sales.csv --by city --max amount", "Allow run_script?"]) {
      expect(visible).toContain(part);
    }
    terminal.keys("y", "Enter");
    const { exitCode, screen } = await terminal.ends();
    show("run", screen, size);
    expect(exitCode).toBe(0);
    expect(screen).toMatch(/^Bonn +2 +9$/m);
  });

  it("C-01 a search shows score, place and whole words", async () => {
    const terminal = start("search sum of a column in a table");
    const { screen } = await terminal.ends();
    show("search", screen, size);
    expect(screen).toMatch(/^tabular-data {2}\d+ % {2}builtin$/m);
  });

  it("C-01 a chat line may be longer than the screen is wide", async () => {
    const terminal = start("chat --model offline");
    await terminal.shows("/help shows");
    const text = "中文字符 and words ".repeat(12).trim();
    terminal.keys("-l", text);
    await terminal.shows("words", 12);
    terminal.keys("C-a");
    terminal.keys("-l", "hello ");
    await terminal.shows("> hello 中文字符");
    show("chat", terminal.visible, size);
    expect(terminal.visible.replaceAll("\n", "").split("中文字符")).toHaveLength(13);
    terminal.keys("C-c", "C-c");
    expect((await terminal.ends()).exitCode).toBe(130);
  });
});

/** Keeps what was seen where `SCREENS` names a folder. */
function show(name: string, screen: string, { columns }: { readonly columns: number }): void {
  const folder = process.env["SCREENS"];
  if (folder !== undefined) writeFileSync(join(folder, `${name}-${columns}.txt`), screen);
}
