import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createWorkspaceTools } from "../internal/index.ts";
import { realWorkspacePath } from "./index.ts";

const PLACES = { root: "/nowhere/at-all", trash: "/nowhere/trash" };

const namesOf = (options: object) =>
  createWorkspaceTools({ ...PLACES, ...options })
    .tools()
    .map(({ name }) => name);

it("X-10 offers reading and writing, and nothing that deletes, runs or connects", () => {
  const names = ["read_file", "list_directory", "search_files", "write_file", "edit_file"];
  expect(namesOf({})).toEqual(names);
});

it.each([
  ["enableReadFile", "read_file"],
  ["enableListDirectory", "list_directory"],
  ["enableSearchFiles", "search_files"],
  ["enableWriteFile", "write_file"],
  ["enableWriteFile", "edit_file"],
  ["enableDeleteFile", "delete_file"],
  ["enableRunCommand", "run_command"],
  ["enableNetworkRequest", "network_request"],
])("X-10 %s switches %s on and off", (option, tool) => {
  expect(namesOf({ [option]: true })).toContain(tool);
  expect(namesOf({ [option]: false })).not.toContain(tool);
});

it("X-10 answers when the working directory does not exist", async () => {
  const options = { ...PLACES, enableDeleteFile: true, enableRunCommand: true };
  for (const tool of createWorkspaceTools(options).tools()) {
    const edit = { old_text: "a", new_text: "b" };
    const input = { path: "a", pattern: "a", content: "a", argv: ["true"], ...edit };
    const result = await tool.execute(input);
    const code = tool.name === "run_command" ? "sandbox-missing" : "directory-unreadable";
    expect(result, tool.name).toMatchObject({ ok: false, code });
    expect(tool.toText(result)).toMatch(/^Error: /);
  }
});

it("T-07 never throws, whatever it is called with", async () => {
  const root = temporaryFolder({ a: "a" });
  const options = {
    root,
    trash: join(root, "../trash-of-nobody"),
    enableDeleteFile: true,
    enableRunCommand: true,
    enableNetworkRequest: true,
  };
  const inputs = [undefined, null, 5, "", "{", "[]", [], { path: {} }, { path: "\0" }, { url: 5 }];
  for (const tool of createWorkspaceTools(options).tools()) {
    for (const input of inputs) {
      const result = await tool.execute(input);
      expect(result).toHaveProperty("ok");
      expect(typeof tool.toText(result)).toBe("string");
    }
    expect(typeof tool.toText("something else")).toBe("string");
  }
});

it("X-10 answers at once when the call was aborted", async () => {
  const root = temporaryFolder({ a: "a" });
  const signal = AbortSignal.abort();
  for (const tool of createWorkspaceTools({ root, trash: "/nowhere/trash" }).tools()) {
    expect(await tool.execute({ path: "a" }, { signal })).toMatchObject({ code: "aborted" });
  }
});

it("P-01 tells what a call means, under the names that a policy knows", () => {
  const tools = createWorkspaceTools({ ...PLACES, enableRunCommand: true }).tools();
  const valuesOf = (name: string, input: unknown) =>
    tools.find((tool) => tool.name === name)?.readInput(input);
  expect(valuesOf("read_file", '{"FilePath":"a"}')).toEqual({ ok: true, values: { path: "a" } });
  expect(valuesOf("run_command", { cmd: "ls" })).toEqual({ ok: true, values: { command: "ls" } });
  expect(valuesOf("write_file", {})).toMatchObject({ ok: false, code: "input-invalid" });
});

it("P-01 tells where a path really leads", async () => {
  const root = temporaryFolder({ "src/a": "a" });
  symlinkSync("src", join(root, "link"));
  symlinkSync("/etc", join(root, "out"));
  const options = { root, trash: join(root, "trash") };
  const real = realpathSync(root);
  expect(await realWorkspacePath(options, "link/a")).toEqual({ ok: true, path: `${real}/src/a` });
  expect(await realWorkspacePath(options, "out/passwd")).toMatchObject({ code: "link-refused" });
});
