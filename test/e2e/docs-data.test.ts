import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfiguration } from "@skillwright/core";
import { parseJsonc } from "@skillwright/core/internal";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../packages/core/src/format/testing.ts";
import {
  blocksOf,
  type DocumentedBlock,
  documentedPages,
  ROOT,
} from "../support/docs/documented-block.ts";
import { builtCli } from "../support/built-cli.ts";
import { deadLinks } from "../support/docs/page-links.ts";
import { commandsOf } from "../support/docs/run-shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const blocks = documentedPages().flatMap((page) => blocksOf(page));
const named = blocks.map((block) => ({ place: `${block.page}:${block.line}`, block }));
const inLanguage = (...languages: readonly string[]) =>
  named.filter(({ block }) => languages.includes(block.language));

/** What a test can do with a block; `text` is for looking at. */
const LANGUAGES = new Set(["sh", "ts", "json", "jsonc", "yaml", "markdown", "text"]);

describe("blocks", () => {
  it("C-01 every block has a language that a test knows", () => {
    const unknown = named.filter(({ block }) => !LANGUAGES.has(block.language));
    expect(unknown.map(({ place }) => place)).toEqual([]);
  });

  it("C-01 no command hides in a block that is not run", () => {
    const hidden = inLanguage("text").filter(
      ({ block }) => !block.isOutput && /^(?:\$ )?(?:skillwright|npx|npm) /m.test(block.text),
    );
    expect(hidden.map(({ place }) => place)).toEqual([]);
  });

  it.each(inLanguage("json", "jsonc"))("C-02 $place is JSON", async ({ block }) => {
    const value = await jsonOf(block);
    expect(value).toBeTypeOf("object");
  });

  it.each(inLanguage("yaml"))("C-01 $place is YAML", ({ block }) => {
    expect(readYaml(block.text)).toMatchObject({ ok: true });
  });

  it.each(
    inLanguage("json", "jsonc").filter(({ block }) => configurationFile(block) !== undefined),
  )("C-02 $place is a configuration without a problem", async ({ block }) => {
    const file = configurationFile(block) ?? "";
    // What an administrator writes is read as a user's here: only root can make the file.
    const place = file.startsWith("/etc/") ? "home/.agent/config.json" : file;
    const folder = temporaryFolder({ [`p/.agent/skills/README.md`]: "", [place]: block.text });
    const loaded = await loadConfiguration({
      cwd: join(folder, "p"),
      home: join(folder, "home"),
      env: {},
      projectTrusted: true,
    });
    expect([loaded.files.length, loaded.problems, loaded.notes]).toEqual([1, [], []]);
    if (file.endsWith("appsettings.json")) return;
    const schema: unknown = JSON.parse(
      readFileSync(join(ROOT, "schema/config.schema.json"), "utf8"),
    );
    const ajv = new Ajv2020({ strict: false });
    expect([ajv.validate(schema as object, await jsonOf(block)), ajv.errors]).toEqual([true, null]);
  });
});

describe("what is not run", () => {
  const skipped = named
    .filter(({ block }) => block.directive.skip !== undefined)
    .map(({ place, block }) => ({ place, block, reason: block.directive.skip ?? "" }));

  it.each(skipped)("C-01 $place: $reason", ({ block, reason }) => {
    expect(reason.length).toBeGreaterThan(10);
    const cwd = temporaryFolder();
    for (const command of commandsOf(block)) {
      const [, name = "", rest = ""] =
        /^(?:npx )?skillwright ((?:env )?\S+)(.*?)(?:\s#.*)?$/s.exec(command) ?? [];
      if (name === "") continue;
      const { status, stdout } = builtCli([...name.split(" "), "--help"], cwd);
      expect(status, command).toBe(0);
      for (const [option] of rest.matchAll(/(?<=\s)--[a-z-]+/g)) expect(stdout).toContain(option);
    }
  });
});

describe("pages", () => {
  const examples = ["examples/README.md", "examples/first-run/README.md"];

  it.each([...documentedPages(), ...examples])("C-01 the links of %s lead somewhere", (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  it("C-01 every page that the command line names is there", () => {
    const folder = join(ROOT, "packages/cli/src");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
    );
    const named = sources.flatMap((path) =>
      [...readFileSync(join(folder, path), "utf8").matchAll(/\bdocs\/[a-z-]+\.md/g)].map(
        ([page]) => `${path}: ${page}`,
      ),
    );
    const pages = new Set(documentedPages());
    expect(named.filter((name) => !pages.has(name.split(": ")[1] ?? ""))).toEqual([]);
  });

  it("C-01 the index names every page", () => {
    const index = readFileSync(join(ROOT, "docs/README.md"), "utf8");
    const pages = readdirSync(join(ROOT, "docs")).filter((name) => /^[a-z].*\.md$/.test(name));
    expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});

async function jsonOf({ text }: DocumentedBlock): Promise<unknown> {
  const parsed = await parseJsonc(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Where the first line says that this is configuration; of the user or of a project. */
function configurationFile({ text }: DocumentedBlock): string | undefined {
  const [, path] = /^\/\/ (\S*(?:config|appsettings)\.json)\n/.exec(text) ?? [];
  return path?.replace(/^~\//, "home/").replace(/^(?=\.agent|appsettings)/, "p/");
}
