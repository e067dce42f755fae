import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { REPORT_SCRIPT } from "../index.ts";

const MODULES = fileURLToPath(new URL("../../../../../node_modules", import.meta.url));

const RULES = {
  env: { browser: true, es2024: true },
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: { "no-undef": "error", "no-shadow": "off", "no-eval": "error", eqeqeq: "error" },
};

function check(program: string, ...args: string[]): string {
  const cwd = temporaryFolder({ "report.js": REPORT_SCRIPT, "rules.json": JSON.stringify(RULES) });
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(MODULES, program), ...args, "report.js"],
    { cwd, encoding: "utf8" },
  );
  return `${status}: ${status === 0 ? "" : stdout}`;
}

describe("the script of the report", () => {
  it("E-03 passes the linter, though it is text", () => {
    expect(check("oxlint/bin/oxlint", "--deny-warnings", "-c", "rules.json")).toBe("0: ");
  });

  it("E-03 passes the compiler, though it is text", () => {
    const options = "--ignoreConfig --allowJs --checkJs --noEmit --target es2023 --strict false";
    const libraries = ["--lib", "es2023,dom,dom.iterable", "--types", ""];
    expect(check("typescript/bin/tsc", ...options.split(" "), ...libraries)).toBe("0: ");
  });

  it("E-03 cannot end its element or make HTML of text", () => {
    expect(REPORT_SCRIPT).not.toMatch(
      /<\/?script|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\r/i,
    );
  });
});
