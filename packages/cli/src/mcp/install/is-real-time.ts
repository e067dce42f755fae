const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const TIME = /(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|[+-](\d\d):(\d\d))?$/;

/** Whether there is such a day and such a time of it. Takes what is written as a date, a time or both. */
export function isRealTime(text: string): boolean {
  const date = DATE.exec(text);
  const time = TIME.exec(text);
  return (date === null || isDay(date)) && (time === null || isTimeOfDay(time));
}

function isDay([, year, month, day]: RegExpExecArray): boolean {
  const [number, count] = [Number(month), Number(day)];
  if (number < 1 || number > 12 || count < 1) return false;
  const first = new Date(0);
  // The day before the first of the next month; years before 100 are meant as they are.
  first.setUTCFullYear(Number(year), number, 0);
  return count <= first.getUTCDate();
}

function isTimeOfDay([, hour, minute, second = "0", ...offset]: RegExpExecArray): boolean {
  const [offsetHour = "0", offsetMinute = "0"] = offset;
  // A second may be put in at the end of a minute.
  const limits = [23, 59, 60, 23, 59];
  const numbers = [hour, minute, second, offsetHour, offsetMinute].map(Number);
  return numbers.every((number, index) => number <= (limits[index] ?? 0));
}
