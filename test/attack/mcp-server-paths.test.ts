import { join } from "node:path";
import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { directorySource, openSkills, type ScriptExecutor } from "@skillwright/core";
import { ClientApprover, createSkillServer } from "@skillwright/mcp";
import { DEFAULT_POLICY, createRedactor } from "@skillwright/runtime";
import { Gate, openApprovals, openAudit } from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { SKILLS, skillsClient } from "../conformance/mcp-server-world.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FILES = {
  ...Object.fromEntries(
    Object.entries(SKILLS).map(([path, text]) => [`home/skills/${path}`, text]),
  ),
  "home/skills/pdf/.env": "TOKEN=hunter2",
  "home/skills/pdf/scripts/.env.local": "TOKEN=hunter2",
  "home/skills/hidden/SKILL.md": skillText(
    "hidden",
    "X. Use it.",
    "disable-model-invocation: true\n",
  ),
  "home/skills/repaired/SKILL.md": "---\nname: repaired\ndescription: A: b. Use it.\n---\n# Goal\n",
  "home/skills/unusable/SKILL.md": "no frontmatter",
  "elsewhere/lone/SKILL.md": "---\n- nothing\n---\n",
  "home/work/x": "",
};

/** A server in a user's home, and all that goes over the line. */
async function world(client: Client) {
  const folder = temporaryFolder(FILES);
  const home = join(folder, "home");
  const cwd = join(home, "work");
  const roots = [directorySource(join(home, "skills"), { label: "project" })];
  roots.push(directorySource(join(folder, "elsewhere"), { label: "user" }));
  const skills = await openSkills({ roots });
  const stateDirectory = join(home, ".state");
  const approver = new ClientApprover();
  const audit = openAudit({
    file: join(stateDirectory, "audit.jsonl"),
    stateDirectory,
    redactor: createRedactor({ env: {} }),
  });
  const gate = new Gate({
    settings: DEFAULT_POLICY,
    places: { workingDirectory: cwd, project: cwd, home },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "test", terminalOnly: false }),
    approver,
    audit,
  });
  const executor: ScriptExecutor = {
    canRun: (path) => path.endsWith(".mjs"),
    async run({ skill, script, args }) {
      const input = { skill_name: skill.name, script_file: script, args };
      const passed = await gate.pass({ tool: "run_script", input, cwd });
      if (!passed.ok) return { ok: false, text: passed.message };
      const text = `${skill.path}/${script} in ${cwd} of ${home} said ${args.join()}`;
      return { ok: args.length === 0, text };
    },
  };
  const server = createSkillServer({
    skills,
    version: "1",
    gate,
    approver,
    executor,
    cwd,
    home,
    pageSize: 1,
  });
  const traffic: JSONRPCMessage[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const send = ours.send.bind(ours);
  ours.send = (message, options) => {
    traffic.push(message);
    return send(message, options);
  };
  await server.connect(ours);
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    await server.close();
    await skills.close();
    audit.close();
  });
  return { folder, traffic };
}

/** Everything that can be asked, right and wrong. */
async function askAll(client: Client, skillNames: readonly string[]): Promise<void> {
  const attempt = (work: Promise<unknown>) => work.catch(() => undefined);
  const call = (name: string, input: Record<string, unknown>) =>
    attempt(client.callTool({ name, arguments: input }));
  await client.setLoggingLevel("debug");
  const { resources } = await client.listResources();
  await client.listResourceTemplates();
  await client.listPrompts();
  await client.listTools();
  await call("search_skills", { query: "pdf join tables" });
  await call("search_skills", {});
  for (const { uri } of resources) await attempt(client.readResource({ uri }));
  const skills = new SkillsClient(client);
  for (const skill of (await skills.list()).skills) {
    await attempt(skills.readDirectory(skill.uri.replace("/SKILL.md", "")));
    await attempt(skills.get(skill.uri));
  }
  for (const name of skillNames) {
    await attempt(client.getPrompt({ name, arguments: { arguments: "x" } }));
    await call("load_skill", { skill_name: name });
    for (const path of [
      "SKILL.md",
      "",
      ".",
      "..",
      "/etc/passwd",
      "none.md",
      "scripts",
      "env",
      "x\0",
    ]) {
      await call("read_skill_file", { skill_name: name, file_path: path });
      await attempt(client.readResource({ uri: `skill://${name}/${path}` }));
    }
    await call("read_skill_file", { skill_name: name, file_path: "SKILL.md", section: "none" });
    for (const script of ["join.mjs", "none.mjs", "scripts", "env.local"]) {
      await call("run_skill_script", { skill_name: name, script_file: script, args: [] });
      await call("run_skill_script", { skill_name: name, script_file: script, args: ["a"] });
    }
  }
}

const NAMES = [
  "pdf",
  "csv",
  "csv-folder",
  "hidden",
  "repaired",
  "unusable",
  "lone",
  "../home",
  "nobody",
];

/** Not one of these may be in what is said. */
const leaks = (said: string, folder: string) =>
  [folder, "hunter2", ".env"].filter((secret) => said.includes(secret));

describe("what a client hears", () => {
  it.each(["allow once", "deny"])(
    "H-02 D-10 no path of this machine, and no name of a secret file, in tools (%s)",
    async (decision) => {
      const capabilities = { elicitation: { form: {} } };
      const client = new Client({ name: "plain", version: "1" }, { capabilities });
      const questions: string[] = [];
      client.setRequestHandler("elicitation/create", ({ params }) => {
        questions.push(params.message);
        return { action: "accept", content: { decision } };
      });
      const { folder, traffic } = await world(client);
      await askAll(client, NAMES);
      const said = JSON.stringify(traffic);
      for (const expected of ["skill://pdf", "skills/unusable", "notifications/message"]) {
        expect(said).toContain(expected);
      }
      expect(questions.join()).toContain("~/work");
      const output = "skills/pdf/scripts/join.mjs in ~/work of ~ said";
      expect(said.includes(output)).toBe(decision === "allow once");
      expect(leaks(said, folder)).toEqual([]);
    },
  );

  it("H-02 D-10 no path of this machine, and no name of a secret file, by the extension", async () => {
    const client = skillsClient();
    const { folder, traffic } = await world(client);
    await askAll(client, NAMES);
    expect(traffic.length).toBeGreaterThan(100);
    expect(leaks(JSON.stringify(traffic), folder)).toEqual([]);
  });
});
