import { expect, it } from "vitest";
import { blocksOf, documentedPages } from "../support/docs/documented-block.ts";
import { matchesOutput, normalizeOutput } from "../support/docs/match-output.ts";
import { commandsOf, runShell } from "../support/docs/run-shell.ts";

const pages = documentedPages().map((page) => {
  const blocks = blocksOf(page).filter(({ directive }) => directive.skip === undefined);
  const commands = blocks.flatMap((block) => commandsOf(block));
  return { page, blocks, count: commands.length };
});
const withCommands = pages.filter(({ count }) => count > 0);

it.concurrent.each(withCommands)(
  "C-01 the $count commands of $page work, in the order they stand there",
  async ({ blocks }) => {
    for (const { block, command, isLast, exitCode, printed, errors } of await runShell(blocks)) {
      const place = `${block.page}:${block.line}\n$ ${command}\n${printed}${errors}`;
      expect(exitCode, place).toBe((isLast ? block.directive.exit : undefined) ?? 0);
      const shown = isLast ? blocks[blocks.indexOf(block) + 1] : undefined;
      if (shown?.isOutput !== true || matchesOutput(shown.text, printed)) continue;
      expect(normalizeOutput(printed), place).toBe(normalizeOutput(shown.text));
    }
  },
  120_000,
);

it("C-01 the pages of the usual topics have commands", () => {
  const names = withCommands.map(({ page }) => page);
  for (const name of ["getting-started", "writing-skills", "packs", "agent", "runtime", "registry"])
    expect(names).toContain(`docs/${name}.md`);
});
