import { expect, it } from "vitest";
import { actionSchema } from "../../actions/action.ts";
import { createOfflineModel } from "./create-offline-model.ts";

it("M-02 the embedded model answers in the json protocol and counts its tokens", async () => {
  const model = createOfflineModel();
  expect(model).toMatchObject({ id: "offline:skillwright", protocol: "json" });
  const response = await model.decide({
    system: "Decide.",
    messages: [{ role: "user", content: "hello" }],
    actions: [],
    maxOutputTokens: 1000,
    view: {
      request: "hello",
      skills: [],
      omittedSkills: 0,
      active: [],
      steps: [],
      tools: [],
      mustAnswer: false,
    },
  });
  expect(response).toMatchObject({ ok: true, usage: { calls: 1 } });
  const text = response.ok ? response.message.text : "";
  expect(actionSchema.parse(JSON.parse(text))).toMatchObject({
    action: "final_answer",
    plan_update: { replace: { goal: "hello" } },
  });
});
