import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";

function recordingLogger() {
  const entries: { level: string; message: string; context: unknown }[] = [];
  const log = (level: string) => (message: string, context?: unknown) =>
    void entries.push({ level, message, context });
  return {
    entries,
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
  };
}

describe("validateOnStartup", () => {
  const root = () =>
    temporaryFolder({
      "pdf/SKILL.md": "---\nname: PDF\ndescription: Reads PDFs. Use when asked.\n---\n# PDF\n",
    });

  it("R-10 runs the strict validator and logs what it finds", async () => {
    const { entries, logger } = recordingLogger();
    await openSkills({ roots: [root()], validateOnStartup: true, logger });
    expect(entries).toContainEqual({
      level: "error",
      message: expect.stringContaining("lowercase") as unknown,
      context: expect.objectContaining({ skill: "PDF", code: "name-invalid", line: 2 }) as unknown,
    });
  });

  it("R-10 is asked for by configuration too, and looks at what cannot be used", async () => {
    const { entries, logger } = recordingLogger();
    const broken = temporaryFolder({ "pdf/SKILL.md": "no frontmatter" });
    const configuration = { skillTools: { validateOnStartup: true } };
    await openSkills({ roots: [broken], configuration, logger });
    expect(entries).toContainEqual({
      level: "error",
      message: expect.any(String) as unknown,
      context: expect.objectContaining({ skill: "pdf", code: "frontmatter-missing" }) as unknown,
    });
  });

  it("R-10 heeds the severities that rules were given", async () => {
    const { entries, logger } = recordingLogger();
    const rules = { "name-invalid": "off", "name-mismatch": "off" } as const;
    await openSkills({ roots: [root()], rules, validateOnStartup: true, logger });
    expect(entries.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("R-10 is off unless asked for; loading is logged with folder and count", async () => {
    const { entries, logger } = recordingLogger();
    const folder = root();
    await openSkills({ roots: [folder], logger });
    expect(entries).toEqual([
      { level: "info", message: "skills loaded", context: { roots: [folder], count: 1 } },
    ]);
  });
});
