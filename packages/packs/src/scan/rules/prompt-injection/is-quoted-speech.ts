/** True when somebody else is quoted: `"ignore …" is an attack`, `says 'ignore …'`, `> ignore …`. */
export function isQuotedSpeech(sentence: string, at: number): boolean {
  const before = sentence.slice(Math.max(0, at - 200), at);
  if (/["'“‘«]\s?(?:[^"'”’»\n]{0,60})$/.test(before) && /["'”’»]/.test(sentence.slice(at)))
    return true;
  return /\b(?:says?|said|telling|claims?|claiming|reads|asks?|contains?|containing|instruct(?:s|ing)|tells? (?:you|it|the (?:model|agent)) to|requests?|attempt\w*|tr(?:y|ies|ying) to|(?:if|when|where|any) (?:a|an|any|the|some)? ?(?:\w+ ){0,3}(?:page|document|file|website|e-?mail|message|text|comment|tool|result|response|content|input|skill|issue|readme|prompt|source)s?)\b[^.]{0,80}$/.test(
    before,
  );
}
