import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

/** Runs the script of the skill, then answers with what it printed; needs no network. */
export class ScriptedModel extends BaseChatModel {
  _llmType() {
    return "scripted";
  }

  bindTools(tools) {
    return this.withConfig({ tools });
  }

  async _generate(messages) {
    const last = messages.at(-1);
    const message =
      last.getType() === "tool"
        ? new AIMessage(`It has ${String(last.content).trim()} words.`)
        : new AIMessage({
            content: "",
            tool_calls: [
              {
                id: "call-1",
                type: "tool_call",
                name: "run_skill_script",
                args: {
                  skill_name: "word-count",
                  script_file: "count.mjs",
                  args: ["the export button works again"],
                },
              },
            ],
          });
    return { generations: [{ text: message.text, message }] };
  }
}
