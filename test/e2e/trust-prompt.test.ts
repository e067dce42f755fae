import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

const UP = "\u001B[A";
const RETURN = "\r";
const CONTROL_C = "\u0003";

/** The one of util-linux, which runs a command in a terminal of its own. */
const SCRIPT = "script";
const hasScript = spawnSync(SCRIPT, ["--version"]).status === 0;

describe.skipIf(!hasScript)(
  "the question in a terminal (skipped without util-linux's script)",
  () => {
    async function ask(keys: string, env: Readonly<Record<string, string>> = {}) {
      const cwd = temporaryFolder({
        ".git/HEAD": "",
        ".agent/skills/pdf/SKILL.md": skillText("pdf"),
        ".agent/skills/csv/SKILL.md": skillText("csv"),
      });
      const HOME = temporaryFolder();
      const { PATH = "" } = process.env;
      // A terminal of `script` has no size of its own.
      const command = `stty cols 100 rows 40; exec ${process.execPath} ${BIN} prompt`;
      const child = spawn(
        SCRIPT,
        ["--quiet", "--flush", "--return", "--command", command, "/dev/null"],
        {
          cwd,
          env: { PATH, HOME, TERM: "xterm", SHELL: "/bin/sh", ...env },
          stdio: ["pipe", "pipe", "inherit"],
        },
      );
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      let screen = "";
      let isAnswered = false;
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        screen += text;
        if (isAnswered || !screen.includes("go on without these skills")) return;
        isAnswered = true;
        child.stdin.write(keys);
      });
      const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
      const trustFile = join(HOME, ".local/state/skillwright/trust.json");
      const stored = existsSync(trustFile) ? readFileSync(trustFile, "utf8") : "";
      // Each skill that is disclosed has a line of the catalog.
      const trusted = Array.from(
        screen.matchAll(/<skill name="(\w+)"/g),
        ([, name]) => name,
      ).join();
      return { cwd, screen, exitCode, trusted, stored, isAnswered };
    }

    it("R-12 shows the folder and its skills; return alone means no", async () => {
      const { cwd, screen, ...rest } = await ask(RETURN);
      expect(rest).toEqual({ exitCode: 0, trusted: "", stored: "", isAnswered: true });
      expect(screen).toContain(cwd);
      expect(screen).toContain("csv, pdf");
      expect(screen).toContain("Going on without them.");
    });

    it("R-12 the first choice trusts the folder for good", async () => {
      const { cwd, trusted, stored } = await ask(UP + UP + RETURN);
      expect(trusted).toBe("csv,pdf");
      expect(JSON.parse(stored)).toMatchObject({ folders: { [cwd]: "trusted" } });
    });

    it("R-12 the second choice trusts it this time", async () => {
      expect(await ask(UP + RETURN)).toMatchObject({ trusted: "csv,pdf", stored: "" });
    });

    it("R-12 control-C ends the command as interrupted", async () => {
      expect(await ask(CONTROL_C)).toMatchObject({ exitCode: 130, stored: "" });
    });

    it("R-12 C-01 asks without colours where NO_COLOR is set", async () => {
      const { screen, trusted } = await ask(UP + RETURN, { NO_COLOR: "1" });
      expect(trusted).toBe("csv,pdf");
      expect(screen).toContain("Only this time");
      // oxlint-disable-next-line no-control-regex
      expect(screen).not.toMatch(/\u001B\[[\d;]+m/);
    });

    it("R-12 C-01 asks nothing in CI", async () => {
      const { isAnswered, trusted, screen } = await ask(UP + RETURN, { CI: "true" });
      expect([isAnswered, trusted]).toEqual([false, ""]);
      expect(screen).toContain("skillwright trust");
    });
  },
);
