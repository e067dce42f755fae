const MAX_DESCRIPTION = 1024;
const SHORTEST = 40;
const WHEN =
  /\b(?:use (?:this |it )?(?:skill )?(?:when|for|if|after|before|to|whenever)|when (?:the user|someone|a|an|asked|you))\b|当|用于|使用场景|适用/iu;
const PERSON =
  /\b(?:I can|I will|I'll|you can use|helps you|let me|we can)\b|我可以|我会|您可以|你可以/iu;
const VAGUE =
  /^(?:helps?|a skill|this skill|skill|tools?|utilit(?:y|ies)|stuff|handles? things)\b.{0,40}$/iu;
const UNDONE = /\b(?:TODO|TBD|FIXME|lorem ipsum)\b/iu;

/** What is wrong with a description, each as an error or a warning. */
export function descriptionProblems(description) {
  const text = description.trim();
  if (text === "") return [problem("error", "the description is empty")];
  const problems = [];
  const { length } = [...text];
  if (length > MAX_DESCRIPTION)
    problems.push(
      problem("error", `the description has ${length} characters; ${MAX_DESCRIPTION} are allowed`),
    );
  if (/<\/?[a-z][^>]{0,200}>/iu.test(text))
    problems.push(problem("error", "the description holds a tag such as <b>; say it in words"));
  if (length < SHORTEST && !/\p{Script=Han}/u.test(text))
    problems.push(problem("warning", "the description is short: what does it do, and when?"));
  if (!WHEN.test(text))
    problems.push(
      problem("warning", 'the description does not say when: add "Use when …" with words of users'),
    );
  if (PERSON.test(text))
    problems.push(problem("warning", 'write "Extracts …", not "I can …" or "you can …"'));
  if (VAGUE.test(text)) problems.push(problem("warning", "the description says nothing definite"));
  if (UNDONE.test(text)) problems.push(problem("error", "the description is not finished"));
  return problems;
}

export function problem(severity, message) {
  return { severity, message };
}
