import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

/** Loads the skill, then answers with the first step that it was told; needs no network. */
export class ScriptedModel extends BaseChatModel {
  _llmType() {
    return "scripted";
  }

  bindTools(tools) {
    return this.withConfig({ tools });
  }

  async _generate(messages) {
    const last = messages.at(-1);
    // The adapter gives the result as JSON text.
    const step = /1\. (.+?)(?:\\n|\n|$)/.exec(String(last.content))?.[1];
    const message =
      last.getType() === "tool"
        ? new AIMessage(`As the skill says: ${step ?? "nothing"}`)
        : new AIMessage({
            content: "",
            tool_calls: [
              {
                id: "call-1",
                type: "tool_call",
                name: "load_skill",
                args: { skill_name: "release-notes" },
              },
            ],
          });
    return { generations: [{ text: message.text, message }] };
  }
}
