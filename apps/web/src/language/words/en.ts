import type { Pet, PetStatus } from "@petstore/client";
import type { FieldName } from "@petstore/contract/fields";
import type { FirstRow, HiddenRows, NoSheet, ProblemReason, StoredField } from "@petstore/sheet";
import type { Order } from "../../browser/address.ts";
import type { ProblemOf } from "../field-problems.ts";
import { plural } from "../plural.ts";

/** Every text of the board. To add a language, add a file like this one to this folder. */
export const words = {
  language: { tag: "en", name: "English", direction: "ltr" as "ltr" | "rtl" },
  statuses: { available: "Available", pending: "Reserved", sold: "Adopted" } satisfies Record<
    PetStatus,
    string
  >,
  allStatuses: "All",
  fields: {
    id: "ID",
    name: "Name",
    categoryId: "Category",
    status: "Status",
    reference: "Your number",
  } satisfies Record<keyof Pet, string>,
  /** What is wrong with a field. Called with the maximum of a text, or with the choices. */
  fieldProblems: {
    name: (max: string) => ({
      missing: "Enter a name.",
      tooLong: `The name is too long. Use at most ${max} characters.`,
      forbidden: "The name contains a damaged character. Type it again.",
    }),
    categoryId: (limit: string) => ({
      missing: "Enter the number of a category.",
      notChosen: "Choose a category.",
      notInteger: "Enter a whole number in digits, such as 7.",
      unknown: "There is no category with this name. Choose one.",
      ambiguous: `Which one: ${limit}?`,
      tooLarge: "The number is too large for the catalogue.",
    }),
    reference: (max: string) => ({
      tooLong: `The number is too long. Use at most ${max} characters.`,
      forbidden: "The number contains a damaged character. Type it again.",
    }),
    status: (choices: string) => ({
      missing: "There is no status.",
      unknown: `The status must be one of these: ${choices}.`,
    }),
  } satisfies { [Name in FieldName]: (limit: string) => Record<ProblemOf<Name>, string> },
  actions: {
    add: "Add animals",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    loading: "Loading…",
    loadAgain: "Load the page again",
    refresh: "Refresh",
    retry: "Try again",
    stop: "Stop",
    signIn: "Sign in",
    signOut: "Sign out",
    useAnotherKey: "Use another key",
  },
  list: {
    label: (status: string) => `Animals: ${status}`,
    count: (count: string, isComplete: boolean): string =>
      isComplete ? (count === "1" ? "1 animal" : `${count} animals`) : `${count} animals so far`,
    changed: plural("1 was just changed", "# were just changed"),
    over: (limit: string) =>
      `There are more than ${limit} animals. The board shows as many as it can hold: first available, then reserved, then adopted ones.`,
    category: (id: string) => `Category ${id}`,
    categories: "Categories",
    moreCategories: (count: string) => `${count} more…`,
    option: (name: string, count: string) => `${name} (${count})`,
    search: "Search name, number or category",
    menu: "More for this list",
    order: "Order",
    orders: { newest: "Newest first", oldest: "Oldest first", name: "By name" } satisfies Record<
      Order,
      string
    >,
    save: (count: string) => `Save as CSV (${count})`,
    fileName: "animals",
    loading: "Loading animals…",
    slow: "The service is slow. Still loading…",
    newAnimals: plural("1 new animal", "# new animals"),
    looking: (id: string) => `Looking for animal ${id}…`,
    empty: {
      available: "No animals are available.",
      pending: "No animals are reserved.",
      sold: "No animals have been adopted yet.",
      all: "There are no animals yet.",
    } satisfies Record<PetStatus | "all", string>,
    emptyAdvice: "New animals appear here within seconds.",
    nothingFound: "Nothing found here.",
    elsewhere: (count: string) => `Show matches in all lists (${count})`,
    clear: "Clear the search",
  },
  pet: {
    noName: "(no name)",
    copyId: "Copy ID",
    copyLink: "Copy link",
    printLabel: "Print label",
    missing: (id: string) => `There is no animal ${id} here`,
    missingAdvice: "It was removed, or the link is wrong.",
    previous: "Previous animal",
    next: "Next animal",
    edit: "Edit",
    remove: "Remove",
    removeAdvice: "Remove this animal for good? It cannot be put back here.",
    save: "Save",
    cancel: "Cancel",
    change: { available: "Make available", pending: "Reserve", sold: "Adopt" } satisfies Record<
      PetStatus,
      string
    >,
    changeOf: {
      available: (name: string) => `Make available: ${name}`,
      pending: (name: string) => `Reserve: ${name}`,
      sold: (name: string) => `Adopt: ${name}`,
    } satisfies Record<PetStatus, (name: string) => string>,
    backShort: "Back",
    back: (status: string, name: string) => `Back to ${status}: ${name}`,
    backTitle: (status: string) => `Back to ${status}`,
  },
  toasts: {
    isNow: (name: string, status: string) => `${name} is now ${status}.`,
    isSaved: (name: string) => `${name} was saved.`,
    undo: "Undo",
    isGone: (name: string) => `${name} was removed.`,
  },
  outbox: {
    title: "Not saved",
    allSaved: "All changes are saved.",
    sending: (count: string): string =>
      `Saving ${count === "1" ? "1 change" : `${count} changes`}…`,
    notSaved: (count: string) => `${count} not saved`,
    someNotSaved: "Some changes were not saved.",
    add: (name: string) => `${name}: new animal`,
    change: (name: string) => `${name}: changes`,
    step: (name: string, status: string) => `${name} → ${status}`,
    removal: (name: string) => `${name}: removal`,
    marks: {
      waiting: "Saving…",
      waitingFor: (status: string) => `Saving: ${status}`,
      overtaken: "Not saved",
      rejected: "Not saved",
      unsure: "Perhaps not saved",
    },
    numberTaken: "Another animal has this number.",
    numberTakenBy: (name: string) => `Another animal has this number: ${name}`,
    explanations: {
      waiting: "The board sends it until the service responds.",
      overtaken: "Someone else changed it first.",
      rejected: "The service rejected it.",
      unsure: "It may be saved already. Look for it before you send it again.",
    },
    overtakenTo: (status: string) => `Someone else changed it first: it is now ${status}.`,
    overtakenByRemoval: "Someone else removed it first.",
    sendAgain: "Send again",
    doNotSave: "Do not save",
    dismissAll: (count: string) => `Dismiss all ${count}`,
  },
  add: {
    one: "One animal",
    notLoaded: "This part of the board could not be loaded. Load the page again.",
    several: "Several animals",
    submit: "Add animal",
    discard: "Discard draft",
    another: "Keep the form open for another animal",
    restored: "Your draft was restored.",
    textLength: (count: string, max: string) => `${count} / ${max}`,
    numberAdvice: "A whole number, such as 7",
    categoryAdviceNamed: "Choose one, or type its first letters",
    added: (name: string, id: string) => `${name} was added as #${id}.`,
    dismiss: "Dismiss",
    readOnlyAdvice: "Ask the operator of this service for a key that allows it.",
  },
  paste: {
    advice:
      "Choose your spreadsheet, or paste its rows: for each animal a name and a category, and perhaps a status. It need not be made for the board.",
    rows: "Paste your rows here",
    example: (statuses: readonly string[]) =>
      `Name\tCategory\tStatus\nBella\t7\t${statuses[0]}\nMax\t12\t${statuses[1]}`,
    chooseFile: "Choose a file",
    otherFile: "Choose another file",
    noFile: "Close the file",
    dropFile: "or drop it anywhere on this page",
    reading: "Reading the file…",
    failures: {
      json: "This is JSON, not a spreadsheet. There is a command for it: petstore pets import.",
      html: "This is a web page, whatever its name. Open it in a spreadsheet, and save it as XLSX or CSV.",
      xml: "This is XML, not a spreadsheet. Export it again from its program, as XLSX or CSV.",
      "xml workbook":
        "This is an XML file of Excel 2003. Open it in a spreadsheet, and save it as XLSX or CSV.",
      "old workbook":
        "This is an old Excel file (XLS). Open it in a spreadsheet, and save it as XLSX or CSV.",
      "binary workbook":
        "This is a binary Excel file (XLSB). Open it in Excel, and save it as XLSX or CSV.",
      "protected workbook":
        "This workbook has a password. Save it as CSV, or as XLSX without a password.",
      opendocument:
        "This is an OpenDocument file (ODS). Open it in LibreOffice, and save it as XLSX or CSV.",
      numbers:
        "This is a file of Apple Numbers, Pages or Keynote. Export it from Numbers as CSV or Excel (XLSX).",
      link: "This is only a link to Google Drive. Open it in Google Sheets, and download it as XLSX or CSV.",
      document: "This is a document, not a spreadsheet. Copy its table, and paste it here.",
      pdf: "This is a PDF, not a spreadsheet. Export it again from its program, as XLSX or CSV.",
      archive: "This file is compressed. Unpack it, and choose the file in it.",
      "damaged workbook": "This workbook is damaged. Open it in a spreadsheet, and save it again.",
      "large workbook":
        "This file is too large for the board. Use the command: petstore pets import.",
      empty: "There are no rows in it.",
      other: "This is not a spreadsheet. Choose an XLSX or a CSV file.",
    } satisfies Record<NoSheet, string>,
    choices: "What the columns and words mean",
    table: "Sheet",
    encoding: "Encoding. Do these names look right?",
    openEncoding: "Encoding. Choose the one whose names look right.",
    oddLine: (line: string) =>
      `Line ${line} is not in UTF-8, the others are. Correct it in the file, or leave out what cannot be decoded.`,
    /** An encoding, and what it makes of the first names. */
    reads: (encoding: string, samples: string) =>
      samples === "" ? encoding : `${encoding}: ${samples}`,
    /** What encodings are used for, beside languages and scripts. */
    regions: {
      western: "Western European",
      central: "Central European",
      southern: "South European",
      baltic: "Baltic",
      nordic: "Nordic",
      celtic: "Celtic",
    },
    choose: "Choose…",
    sameForAll: "The same for all animals",
    noColumn: "no column",
    otherTables: (tables: string) => `Sheets that are not used: ${tables}.`,
    hiddenTable: (name: string, rows: string) => `${name} (hidden, ${rows})`,
    column: (name: string, samples: string) => `${name} (${samples})`,
    nameless: plural("1 animal has no name", "# animals have no name"),
    leaveOut: "Leave out",
    confirm: "These choices are right",
    values: (field: string) => `${field}: what it means`,
    guessed: "guessed",
    chooseMeaning: (value: string) => `Choose what “${value}” means.`,
    answerFirst: "First answer what is marked above.",
    allRows: "All animals",
    noValue: "No value",
    rowCount: plural("1 row", "# rows"),
    others: (count: string): string =>
      count === "0" ? "All unknown words" : `All ${count} unknown words`,
    above: plural(
      "The row above the names of the columns is not used.",
      "The # rows above the names of the columns are not used.",
    ),
    firstRow: (cells: string) => `First row: ${cells}`,
    firstRowChoices: { names: "Names of the columns", animal: "An animal" } satisfies Record<
      FirstRow,
      string
    >,
    hiddenRows: plural("The workbook does not show 1 row", "The workbook does not show # rows"),
    hiddenRowsChoices: { add: "Take them too", skip: "Leave out" } satisfies Record<
      HiddenRows,
      string
    >,
    storedAs: {
      name: plural(
        "1 name is a number or a date in the workbook, which may show it in another form.",
        "# names are numbers or dates in the workbook, which may show them in another form.",
      ),
      reference: plural(
        "1 number of an animal is a date in the workbook, which may show it in another form.",
        "# numbers of animals are dates in the workbook, which may show them in another form.",
      ),
    } satisfies Record<StoredField, unknown>,
    ignored: (columns: string) => `These columns are not used: ${columns}.`,
    nothing: "Nothing to add or to change.",
    fresh: plural("1 new animal", "# new animals"),
    changed: plural("1 changed", "# changed"),
    equal: plural("1 unchanged", "# unchanged"),
    leftOut: plural("1 row left out", "# rows left out"),
    repeated: plural(
      "1 animal with this name and category is in the catalogue already.",
      "# animals with these names and categories are in the catalogue already.",
    ),
    addAnyway: "Add them anyway",
    missing: plural(
      "1 row has the ID of an animal that is not here.",
      "# rows have IDs of animals that are not here.",
    ),
    addAsNew: "Add them as new animals",
    renamed: plural(
      "1 animal has another name here. Is it another animal?",
      "# animals have other names here. Are they other animals?",
    ),
    changeAnyway: "Change them",
    changesAdvice:
      "What others have changed since you saved the file cannot be told from your changes.",
    rejected: plural(
      "1 row has a mistake, and will not be sent.",
      "# rows have a mistake, and will not be sent.",
    ),
    inRows: (count: string, first: string): string =>
      count === "1" ? `Row ${first}:` : `${count} rows:`,
    mistakes: {
      unclosed: "This may be several rows: is a quote missing at the end of a cell?",
      repeated: "Other rows have the same number, and say something else.",
      uncalculated: "This formula has no result. Open the file in your spreadsheet, and save it.",
      failed: "A formula has failed.",
      undecoded: "A character could not be read. Is the encoding right?",
      merged: "This name is one cell for several rows. Write it into each row, or leave it in one.",
      rounded: "A spreadsheet has rounded this number.",
      missing: "There is no name.",
    } satisfies Record<Exclude<ProblemReason, "unknown" | "invalid">, string>,
    sameNumber: plural(
      "1 row has a number that comes twice, and says something else. Which one counts?",
      "# rows have numbers that come twice, and say different things. Which one counts?",
    ),
    firstCounts: "The first",
    lastCounts: "The last",
    prefix: "Put before each number",
    prefixAdvice:
      "If you have several programs: for each another one, like north-, from its first file on",
    alike: plural(
      "1 row has a name or a number like that of an animal that is here. It may be the same.",
      "# rows have a name or a number like that of an animal that is here. They may be the same.",
    ),
    addAlike: "Add them as other animals",
    gone: plural(
      "1 animal with a number of yours is not in the sheet any more.",
      "# animals with a number of yours are not in the sheet any more.",
    ),
    closeGone: (gone: string, all: string) => `Mark as adopted (${gone} of ${all})`,
    noneKnown:
      "No row has the number of an animal that is here. Is it another file, or have numbers lost leading zeros?",
    badId: "The ID is not a whole number, or comes twice.",
    saveRejected: "Save these rows with the reason",
    rejectedFile: "rows-with-mistakes.csv",
    preview: "Preview",
    row: "Row",
    notDrawn: plural("1 more is not shown.", "# more are not shown."),
    tooMany: (limit: string) =>
      `${limit} are sent at a time. The others follow with the next click.`,
    send: (added: string, changed: string): string => {
      if (changed === "0")
        return added === "0" ? "Add animals" : plural("Add 1 animal", "Add # animals")(added);
      if (added === "0") return plural("Change 1 animal", "Change # animals")(changed);
      return `Add ${added}, change ${changed}`;
    },
    stored: (added: string, changed: string): string => {
      if (changed === "0") return plural("1 animal was added.", "# animals were added.")(added);
      if (added === "0") return plural("1 animal was changed.", "# animals were changed.")(changed);
      return `${plural("1 animal was added", "# animals were added")(added)}, ${changed} changed.`;
    },
    stopped: plural("1 animal was not sent.", "# animals were not sent."),
    removed: plural("1 animal was removed.", "# animals were removed."),
  },
  account: {
    menu: "Account and settings",
    access: (canAdd: boolean, canRemove: boolean): string => {
      if (canAdd)
        return `Your key can view, add${canRemove ? ", change and remove" : " and change"} animals.`;
      return `Your key can ${canRemove ? "view and remove" : "view"} animals, but not add or change them.`;
    },
    keptForTab: "It is kept until you close this tab.",
    keptOnDevice: "It is kept on this device until you sign out.",
    language: "Language",
    help: "Help",
    reference: "API reference",
    signOutAndDiscard: (count: string) => `Sign out, and discard what is not saved (${count})`,
  },
  help: { contents: "Contents", back: "Back to the board" },
  signIn: {
    title: "Sign in to the adoption board",
    lead: "See which animals are available, reserved and adopted, and add new ones.",
    key: "Access key",
    keyAdvice: "It starts with pst_. Ask whoever runs this service for one.",
    showKey: "Show the key",
    remember: "Remember on this device",
    rememberWarning:
      "Anyone who uses this browser can then read the catalogue and use your key. Choose this only on your own device.",
    checking: "Checking the key…",
    later: "Try again in a moment.",
    keyMissing: "Enter an access key.",
    keyForm: "An access key has no spaces, quotes or letters with accents.",
  },
  problems: {
    offline: {
      what: "You are offline",
      todo: "Check your connection. The board continues automatically when you are back online.",
    },
    unreachable: {
      what: "The service does not respond",
      todo: "It may be restarting. The board keeps trying.",
    },
    slow: { what: "The service took too long", todo: "The board keeps trying." },
    keyRejected: {
      what: "Your key no longer works",
      todo: "It is wrong, expired or revoked. Sign in with another key.",
    },
    keyUnknown: {
      what: "This key does not work",
      todo: "Check that you copied all of it. It may also be expired or revoked.",
    },
    notAllowed: {
      what: "Your key does not allow this",
      todo: "Ask the operator for a key that does, or use another key.",
    },
    limited: {
      what: "Too many requests",
      todo: "Your key or your network has reached its limit. The board continues automatically.",
    },
    busy: { what: "The service is busy", todo: "The board keeps trying." },
    rejected: {
      what: "The service rejected the request",
      todo: "Reload the page. If that does not help, ask the operator.",
    },
    intercepted: {
      what: "Something between you and the service answered",
      todo: "Load the page again: you may have to sign in there.",
    },
    failed: {
      what: "The service failed",
      todo: "Try again. If it happens again, give the operator the request id.",
    },
    broken: {
      what: "The board does not understand the response",
      todo: "Reload the page. A newer version may be running.",
    },
  },
  /** What happened, and what to do. */
  problem: (what: string, todo: string) => `${what}. ${todo}`,
  requestId: "Request ID",
  nextAttempt: (seconds: string) => `Next attempt in ${seconds} s`,
};

export type Words = typeof words;
