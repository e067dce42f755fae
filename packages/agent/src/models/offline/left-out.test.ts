import { describe, expect, it } from "vitest";
import { leftOut, numbersLeft } from "./left-out.ts";
import { readRequest } from "./read-request.ts";

const INSTRUCTIONS = "Adds up a column of a table. Show or list rows, words, customers.";
const left = (request: string, args: string) =>
  leftOut(readRequest(request), { args: args.split("|"), instructions: INSTRUCTIONS });

describe("leftOut", () => {
  it.each([
    [
      "sum of amount by city in a.csv for amount over 15",
      "a.csv|--sum|amount",
      "for amount over 15",
    ],
    ["total amount in a.csv where city = Berlin", "a.csv|--sum|amount", "where city = Berlin"],
    [
      "total amount in a.csv for customers in Berlin",
      "a.csv|--sum|amount",
      "for customers in Berlin",
    ],
    ["only Berlin: total amount in a.csv", "a.csv|--sum|amount", "only Berlin"],
    ["total amount in a.csv except Oslo", "a.csv|--sum|amount", "except Oslo"],
    ["total amount by city in a.csv, top 3", "a.csv|--by|city|--sum|amount", "top 3"],
    ["total amount by city in a.csv sorted", "a.csv|--by|city|--sum|amount", "sorted"],
    ["rows of a.csv since 2024", "a.csv", "since 2024"],
    ["list a.csv with amount greater than 1,500", "a.csv", "amount > 1500"],
    ["列出 a.csv 前5行", "a.csv", "前5"],
    ["只看 Berlin 的 a.csv", "a.csv", "只看 Berlin"],
  ])("M-02 %j: the call does not have %3$j", (request, args, phrase) => {
    expect(left(request, args).join("; ")).toContain(phrase);
  });

  it.each([
    ["sum of amount by city in a.csv for amount over 15", "a.csv|--where|amount > 15"],
    ["total amount in a.csv where city is Berlin", "a.csv|--where|city = Berlin"],
    ["total amount by city in a.csv sorted, top 3", "a.csv|--by|city|--top|3"],
    ["rows of a.csv sorted by amount", "a.csv|--sort|amount"],
    ["show only the rows of a.csv", "a.csv"],
    ["sum the amounts in Sales Berlin.csv", "Sales|Berlin.csv"],
    ["what is the weather in New York?", "New York"],
    ["convert 5 miles to km", "5|miles|km"],
    ['draft "a note for Anna, only where needed"', "a note for Anna, only where needed"],
  ])("M-02 %j has all of it in %j", (request, args) => {
    expect(left(request, args)).toEqual([]);
  });

  it("M-02 numbers beside the one that was passed are told", () => {
    const done = { args: ["5", "kg"], instructions: "" };
    expect(numbersLeft(readRequest("convert 5 and 10 kg"), done)).toEqual(["10"]);
    expect(numbersLeft(readRequest("compare the 2 files"), done)).toEqual([]);
  });
});
