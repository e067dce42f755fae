const MAX_POSITIVE = 5;
const MAX_PHRASE = 160;
const WHEN = /\buse (?:this |it )?(?:skill )?(?:when(?:ever)?|for|if|to)\s+/iu;
const ASKS =
  /^(?:(?:the |a )?(?:user|users|someone|somebody|people|person|they|you)\s+)?(?:(?:asks?|wants?|needs?|is asked|are asked|mentions?|says?|asking|working)\s+)?(?:(?:for|to|about|with|on|how to)\b)?\s*/iu;

/**
 * First cases from a description: requests for what it promises, and near misses that share its words
 * but want something else. They are a beginning; words of real users are better.
 */
export function suggestEvals(name, description) {
  const topic = topicOf(name);
  const positive = positivePrompts(topic, description);
  const negative = negativePrompts(topic, description);
  const cases = [
    ...positive.map((prompt) => ({ prompt, should_trigger: true })),
    ...negative.map((prompt) => ({ prompt, should_trigger: false })),
  ];
  return {
    skill_name: name,
    evals: cases.map(({ prompt, should_trigger }, i) => ({
      id: i + 1,
      prompt,
      should_trigger,
      expected_output: should_trigger
        ? "What the skill's goal promises, in the form that its output section names."
        : "An answer without this skill.",
      files: [],
      expectations: should_trigger
        ? [`The skill ${name} was used`, "The output has the form that the skill describes"]
        : [`The skill ${name} was not used`],
    })),
  };
}

function topicOf(name) {
  return name.replaceAll("-", " ");
}

function positivePrompts(topic, description) {
  const text = description.replaceAll(/\s+/g, " ").trim();
  const at = WHEN.exec(text);
  const promise = text.slice(0, at?.index ?? text.length);
  const occasions = at === null ? "" : text.slice(at.index + at[0].length);
  const wanted = [...clauses(occasions).map(asRequest), ...clauses(promise).map(asOrder)];
  const prompts = wanted.filter((prompt) => prompt !== "");
  const isChinese = /\p{Script=Han}/u.test(topic);
  const first = isChinese ? `请帮我处理：${topic}` : `I need help with ${topic}.`;
  return [...new Set(prompts.length === 0 ? [first] : prompts)].slice(0, MAX_POSITIVE);
}

/** Parts of a sentence that can stand alone. */
function clauses(text) {
  return text
    .split(
      /[.;。；，]\s*|,\s+(?:or\s+|and\s+)?|\s+or\s+(?=(?:to|for|when|if|asks?|wants?|needs?)\b)/u,
    )
    .map((part) => part.trim().slice(0, MAX_PHRASE))
    .filter((part) => /\p{Script=Han}{4}/u.test(part) || part.split(" ").length > 2)
    .filter(
      (part) => !/^(?:such as|for example|e\.g|including|with)\b|^(?:例如|比如)/iu.test(part),
    );
}

function asRequest(clause) {
  const wanted = clause.replace(ASKS, "").trim();
  if (/\p{Script=Han}/u.test(wanted)) return asChinese(wanted);
  if (!wanted.includes(" ")) return "";
  if (/^(?:what|which|how|why|where|who|whether)\b/iu.test(wanted))
    return `Tell me ${lowerFirst(wanted)}.`;
  if (/^(?:a|an|the|some|two)\s/iu.test(wanted)) return `I need ${lowerFirst(wanted)}.`;
  return /\bto\s/u.test(clause.slice(0, clause.length - wanted.length))
    ? `Please ${lowerFirst(wanted)}.`
    : `Can you help me with this: ${lowerFirst(wanted)}?`;
}

/** 当用户要…时使用 is the occasion; what stands between is wanted. */
function asChinese(clause) {
  const wanted = clause
    .replace(/^当?(?:用户|有人)?(?:需要|想要|要求|要|想)?/u, "")
    .replace(/时?(?:使用|用)?$/u, "");
  return wanted === "" ? "" : `请帮我：${wanted}`;
}

/** "Writes release notes" is what is done, "write release notes" what is asked for. */
function asOrder(clause) {
  const match = /^([A-Z][a-z]+?)(e?s)\s+(.+)$/u.exec(clause);
  if (match === null) return /\p{Script=Han}/u.test(clause) ? asChinese(clause) : "";
  const [, stem, ending, rest] = match;
  const verb = `${stem}${ending}`;
  const base = /(?:sh|ch|ss|x|zz|o)es$/.test(verb)
    ? verb.slice(0, -2)
    : verb.endsWith("ies")
      ? `${verb.slice(0, -3)}y`
      : verb.slice(0, -1);
  return `Please ${base.toLowerCase()} ${rest}.`;
}

/** The same words, but another thing is wanted. */
function negativePrompts(topic, description) {
  const [promise = ""] = clauses(description.replaceAll(/\s+/g, " "));
  const object = objectOf(promise) ?? topic;
  if (/\p{Script=Han}/u.test(object))
    return [
      `“${object}”是什么意思？只要解释一下。`,
      `我们组里谁负责${object}？`,
      `把“${object}”翻译成法语。`,
    ];
  return [
    `What does "${object}" mean? One sentence is enough, do nothing yet.`,
    `Who in our team is responsible for ${object}?`,
    `Translate "${object}" into French.`,
  ];
}

/** "Writes release notes from commits" is about release notes from commits. */
function objectOf(promise) {
  const order = asOrder(promise).replace(/^Please \w+ |\.$/g, "");
  if (order !== "" && !/\p{Script=Han}/u.test(promise))
    return order.split(/,|\s+(?:and|with)\s+/u)[0];
  return /\p{Script=Han}/u.test(promise) ? promise : undefined;
}

function lowerFirst(text) {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
