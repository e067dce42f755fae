import { join } from "node:path";
import { runAgent, createSequenceModel } from "@skillwright/agent";
import { openSkills, type Tracer } from "@skillwright/core";
import { openScripts } from "@skillwright/runtime";
import { expect, it } from "vitest";
import { newFolder } from "../support/script-host.ts";

interface Span {
  readonly name: string;
  readonly kind: number | undefined;
  readonly attributes: Record<string, unknown>;
  readonly parent: string | undefined;
  status?: number;
  hasEnded?: true;
}

/** What a real tracer does with our calls, kept in a list. */
function fakeTracer() {
  const spans: Span[] = [];
  const tracer: Tracer = {
    startActiveSpan(name, { kind, attributes = {} }, work) {
      const open = spans.findLast(({ hasEnded }) => hasEnded !== true);
      const span: Span = { name, kind, attributes: { ...attributes }, parent: open?.name };
      spans.push(span);
      return work({
        setAttribute: (key, value) => (span.attributes[key] = value),
        setStatus: ({ code }) => (span.status = code),
        end: () => (span.hasEnded = true),
      }) as ReturnType<typeof work>;
    },
  };
  return { tracer, spans };
}

const SECRET = "s3cret-value";

it("D-12 P-04 embedded: loads, reads, searches and scripts are spans without contents", async () => {
  const folder = newFolder();
  const { tracer, spans } = fakeTracer();
  const scripts = await openScripts({
    cwd: join(folder, "work"),
    stateDirectory: join(folder, "state"),
    approve: ({ tool }) => tool === "run_script",
    tracer,
  });
  if (!scripts.ok) throw new Error(scripts.message);
  const skills = await openSkills({ roots: [join(folder, "skills")], tracer });
  const chat = skills.conversation({ scripts });
  const tools = chat.tools();
  const call = (name: string, input: object) =>
    tools.find((one) => one.name === name)?.execute(input);
  await call("load_skill", { skill_name: "w" });
  await chat.readFile("w", "SKILL.md");
  await chat.search(`what ${SECRET} is about`);
  await chat.activate(SECRET);
  const args = { skill_name: "w", script_file: "do.sh" };
  await call("run_skill_script", { ...args, args: [`echo ${SECRET}`] });
  await call("run_skill_script", { ...args, args: ["exit 3"] });
  await scripts.close();
  const facts = spans.map(({ name, attributes, status }) => [
    name,
    attributes["skillwright.skill.name"],
    attributes["error.type"],
    status,
  ]);
  expect(facts).toEqual([
    ["execute_tool load_skill", "w", undefined, undefined],
    ["execute_tool read_skill_file", "w", undefined, undefined],
    ["execute_tool search_skills", undefined, undefined, undefined],
    ["execute_tool load_skill", undefined, "skill-not-found", 2],
    ["execute_tool run_skill_script", "w", undefined, undefined],
    ["execute_tool run_skill_script", "w", "script-failed", 2],
  ]);
  expect(spans.at(-1)?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "run_skill_script",
    "process.exit.code": 3,
  });
  expect(spans.every(({ hasEnded }) => hasEnded)).toBe(true);
  expect(JSON.stringify(spans)).not.toContain(SECRET);
});

it("D-12 runAgent: the run, its model calls and its loads are spans", async () => {
  const folder = newFolder();
  const { tracer, spans } = fakeTracer();
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const model = createSequenceModel([
    { action: "select_skills", skills: [{ name: "w" }] },
    { action: "final_answer", answer: SECRET },
  ]);
  await runAgent({ request: `use w with ${SECRET}`, skills, model, tracer });
  const [run, ...rest] = spans;
  expect(run).toMatchObject({ name: "invoke_agent skillwright", parent: undefined });
  expect(rest.map(({ name }) => name.replace(/^chat .*/, "chat"))).toEqual([
    "chat",
    "execute_tool load_skill",
    "chat",
  ]);
  expect(rest[0]).toMatchObject({
    kind: 2,
    parent: "invoke_agent skillwright",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.output_tokens": expect.any(Number) as number,
    },
  });
  expect(JSON.stringify(spans)).not.toContain(SECRET);
});
