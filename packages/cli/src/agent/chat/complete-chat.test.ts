import { describe, expect, it } from "vitest";
import { skillRecord } from "../../../../../test/support/skill-record.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { completeChat } from "../index.ts";

function complete(text: string) {
  const folder = temporaryFolder({
    "src/main.ts": "",
    "src/.hidden": "",
    "sales.csv": "",
    "a b": "",
    "s\u001b[31m": "",
  });
  const completion = completeChat(text, {
    skills: () => [
      skillRecord("slides", { description: "Makes slides." }),
      skillRecord("cost", { source: "user" }),
      skillRecord("secret", { trusted: false }),
      skillRecord("sleep", { userInvocable: false }),
      skillRecord("switched", { enabled: false }),
    ],
    conversations: () => [{ value: "20261116T1-aa" }, { value: "20261115T1-bb" }],
    folder,
  });
  return completion && [completion.from, completion.candidates.map(({ value }) => value)];
}

describe("completion", () => {
  it.each([
    ["/s", [0, ["/skills", "/slides"]]],
    ["  /sl", [2, ["/slides"]]],
    ["/co", [0, ["/cost", "/cost@user"]]],
    ["/why s", [5, ["slides", "secret", "sleep", "switched"]]],
    ["/resume 20261116", [8, ["20261116T1-aa"]]],
    ["/file s", [6, ["sales.csv", "src/"]]],
    ["/file src/", [6, ["src/main.ts"]]],
    ["/file src/.h", [6, ["src/.hidden"]]],
    ["look at @sa", [9, ["sales.csv"]]],
    ["look at src/m", [8, ["src/main.ts"]]],
    ["look at s", undefined],
    ["/file ../", [6, []]],
    ["/file /etc/pas", [6, []]],
    ["@nowhere/x", [1, []]],
  ])("C-01 A-08 of %j is %j", (text, completion) => {
    expect(complete(text)).toEqual(completion);
  });

  it("C-01 shows what a skill is for", () => {
    const completion = completeChat("/sli", {
      skills: () => [skillRecord("slides", { description: "Makes slides." })],
      conversations: () => [],
      folder: ".",
    });
    expect(completion?.candidates).toEqual([{ value: "/slides", description: "Makes slides." }]);
  });
});
