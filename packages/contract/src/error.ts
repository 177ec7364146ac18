import { z } from "zod";
import { errorStatuses } from "./values.ts";

/** A machine-readable error code. */
export type ErrorCode = keyof typeof errorStatuses;

/** The HTTP status of an error answer. */
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

/** The body of every error answer: exactly these three members, at most 4 KB (D5). */
export interface ErrorBody {
  /** Machine-readable; see {@link errorStatuses}. */
  code: ErrorCode;
  /** For people: what was wrong and what was expected. Not for programs to match on. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}

const errorCodes = Object.keys(errorStatuses) as ErrorCode[];

export const errorSchema = z
  .object({
    // Any text in the document, so that a new code breaks no generated client.
    code: z.enum(errorCodes).meta({
      enum: undefined,
      description:
        "Machine-readable error code. The examples are all codes so far: treat one that you do not know by its `status`.",
      examples: errorCodes,
    }),
    message: z.string().meta({ description: "Human-readable description." }),
    status: z
      .int32()
      .meta({ format: "int32", minimum: 400, maximum: 599, description: "The HTTP status code of the response." }),
  })
  .meta({ id: "Error", description: "The body of every error answer." }) satisfies z.ZodType<ErrorBody>;
