import { plural } from "../plural.ts";
import type { Words } from "./en.ts";

export const words: Words = {
  language: { tag: "de", name: "Deutsch", direction: "ltr" },
  statuses: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
  allStatuses: "Alle",
  fields: {
    id: "ID",
    name: "Name",
    categoryId: "Kategorie",
    status: "Status",
    reference: "Ihre Nummer",
  },
  fieldProblems: {
    name: (max) => ({
      missing: "Geben Sie einen Namen ein.",
      tooLong: `Der Name ist zu lang. Er darf höchstens ${max} Zeichen haben.`,
      forbidden: "Der Name enthält ein beschädigtes Zeichen. Geben Sie ihn neu ein.",
    }),
    categoryId: (limit) => ({
      missing: "Geben Sie die Nummer einer Kategorie ein.",
      notChosen: "Wählen Sie eine Kategorie.",
      notInteger: "Geben Sie eine ganze Zahl in Ziffern ein, zum Beispiel 7.",
      unknown: "Es gibt keine Kategorie mit diesem Namen. Wählen Sie eine.",
      ambiguous: `Welche: ${limit}?`,
      tooLarge: "Die Zahl ist zu groß für den Katalog.",
    }),
    reference: (max) => ({
      tooLong: `Die Nummer ist zu lang. Sie darf höchstens ${max} Zeichen haben.`,
      forbidden: "Die Nummer enthält ein beschädigtes Zeichen. Geben Sie sie neu ein.",
    }),
    status: (choices) => ({
      missing: "Es fehlt ein Status.",
      unknown: `Der Status muss einer von diesen sein: ${choices}.`,
    }),
  },
  actions: {
    add: "Tiere hinzufügen",
    close: "Schließen",
    copy: "Kopieren",
    copied: "Kopiert",
    loading: "Wird geladen …",
    loadAgain: "Seite neu laden",
    refresh: "Neu laden",
    retry: "Erneut versuchen",
    stop: "Anhalten",
    signIn: "Anmelden",
    signOut: "Abmelden",
    useAnotherKey: "Anderen Schlüssel verwenden",
  },
  list: {
    label: (status) => `Tiere: ${status}`,
    count: (count, isComplete) =>
      isComplete ? (count === "1" ? "1 Tier" : `${count} Tiere`) : `bisher ${count} Tiere`,
    changed: plural("1 wurde gerade geändert", "# wurden gerade geändert"),
    over: (limit) =>
      `Es gibt mehr als ${limit} Tiere. Die Seite zeigt so viele, wie sie fasst: erst verfügbare, dann reservierte, dann vermittelte.`,
    category: (id) => `Kategorie ${id}`,
    categories: "Kategorien",
    moreCategories: (count) => `${count} weitere …`,
    option: (name, count) => `${name} (${count})`,
    search: "Name, Nummer oder Kategorie suchen",
    menu: "Mehr für diese Liste",
    order: "Reihenfolge",
    orders: { newest: "Neueste zuerst", oldest: "Älteste zuerst", name: "Nach Namen" },
    save: (count) => `Als CSV speichern (${count})`,
    fileName: "tiere",
    loading: "Tiere werden geladen …",
    slow: "Der Dienst ist langsam. Es wird noch geladen …",
    newAnimals: plural("1 neues Tier", "# neue Tiere"),
    looking: (id) => `Tier ${id} wird gesucht …`,
    empty: {
      available: "Keine Tiere sind verfügbar.",
      pending: "Keine Tiere sind reserviert.",
      sold: "Noch keine Tiere wurden vermittelt.",
      all: "Es gibt noch keine Tiere.",
    },
    emptyAdvice: "Neue Tiere erscheinen hier nach wenigen Sekunden.",
    nothingFound: "Hier wurde nichts gefunden.",
    elsewhere: (count) => `Treffer in allen Listen zeigen (${count})`,
    clear: "Suche löschen",
  },
  pet: {
    noName: "(ohne Namen)",
    copyId: "ID kopieren",
    copyLink: "Link kopieren",
    printLabel: "Etikett drucken",
    missing: (id) => `Hier gibt es kein Tier ${id}`,
    missingAdvice: "Es wurde entfernt, oder der Link ist falsch.",
    previous: "Voriges Tier",
    next: "Nächstes Tier",
    edit: "Bearbeiten",
    remove: "Entfernen",
    removeAdvice: "Dieses Tier endgültig entfernen? Hier kann es nicht zurückgeholt werden.",
    save: "Speichern",
    cancel: "Abbrechen",
    change: { available: "Verfügbar machen", pending: "Reservieren", sold: "Vermitteln" },
    changeOf: {
      available: (name) => `Verfügbar machen: ${name}`,
      pending: (name) => `Reservieren: ${name}`,
      sold: (name) => `Vermitteln: ${name}`,
    },
    backShort: "Zurück",
    back: (status, name) => `Zurück zu ${status}: ${name}`,
    backTitle: (status) => `Zurück zu ${status}`,
  },
  toasts: {
    isNow: (name, status) => `${name} ist jetzt ${status.toLowerCase()}.`,
    isSaved: (name) => `${name} wurde gespeichert.`,
    undo: "Rückgängig",
    isGone: (name) => `${name} wurde entfernt.`,
  },
  outbox: {
    title: "Nicht gespeichert",
    allSaved: "Alle Änderungen sind gespeichert.",
    sending: (count) =>
      `${count === "1" ? "1 Änderung wird" : `${count} Änderungen werden`} gespeichert …`,
    notSaved: (count) => `${count} nicht gespeichert`,
    someNotSaved: "Einige Änderungen wurden nicht gespeichert.",
    add: (name) => `${name}: neues Tier`,
    change: (name) => `${name}: Änderungen`,
    step: (name, status) => `${name} → ${status}`,
    removal: (name) => `${name}: Entfernen`,
    marks: {
      waiting: "Speichert …",
      waitingFor: (status) => `Speichert: ${status}`,
      overtaken: "Nicht gespeichert",
      rejected: "Nicht gespeichert",
      unsure: "Vielleicht nicht gespeichert",
    },
    numberTaken: "Ein anderes Tier hat diese Nummer.",
    numberTakenBy: (name) => `Ein anderes Tier hat diese Nummer: ${name}`,
    explanations: {
      waiting: "Wird gesendet, bis der Dienst geantwortet hat.",
      overtaken: "Jemand anderes hat es zuerst geändert.",
      rejected: "Der Dienst hat es abgelehnt.",
      unsure:
        "Es ist vielleicht schon gespeichert. Sehen Sie nach, bevor Sie es noch einmal senden.",
    },
    overtakenTo: (status) =>
      `Jemand anderes hat es zuerst geändert: Es ist jetzt ${status.toLowerCase()}.`,
    overtakenByRemoval: "Jemand anderes hat es zuerst entfernt.",
    sendAgain: "Noch einmal senden",
    doNotSave: "Nicht speichern",
    dismissAll: (count) => `Alle ${count} verwerfen`,
  },
  add: {
    one: "Ein Tier",
    notLoaded: "Dieser Teil der Seite konnte nicht geladen werden. Laden Sie die Seite neu.",
    several: "Mehrere Tiere",
    submit: "Tier hinzufügen",
    discard: "Entwurf verwerfen",
    another: "Formular für ein weiteres Tier offen lassen",
    restored: "Ihr Entwurf wurde wiederhergestellt.",
    textLength: (count, max) => `${count} / ${max}`,
    numberAdvice: "Eine ganze Zahl, zum Beispiel 7",
    categoryAdviceNamed: "Wählen Sie eine, oder tippen Sie die ersten Buchstaben",
    added: (name, id) => `${name} wurde als #${id} hinzugefügt.`,
    dismiss: "Ausblenden",
    readOnlyAdvice: "Bitten Sie den Betreiber dieses Dienstes um einen Schlüssel, der das erlaubt.",
  },
  paste: {
    advice:
      "Wählen Sie Ihre Tabelle, oder fügen Sie ihre Zeilen ein: für jedes Tier ein Name und eine Kategorie, vielleicht auch ein Status. Die Tabelle muss nicht für diese Seite gemacht sein.",
    rows: "Zeilen hier einfügen",
    example: (statuses) =>
      `Name\tKategorie\tStatus\nBella\t7\t${statuses[0]}\nMax\t12\t${statuses[1]}`,
    chooseFile: "Datei auswählen",
    otherFile: "Andere Datei auswählen",
    noFile: "Datei schließen",
    dropFile: "oder irgendwo auf dieser Seite ablegen",
    reading: "Die Datei wird gelesen…",
    failures: {
      json: "Das ist JSON, keine Tabelle. Dafür gibt es einen Befehl: petstore pets import.",
      html: "Das ist eine Webseite, wie sie auch heißt. Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als XLSX oder CSV.",
      xml: "Das ist XML, keine Tabelle. Exportieren Sie sie aus ihrem Programm als XLSX oder CSV.",
      "xml workbook":
        "Das ist eine XML-Datei von Excel 2003. Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als XLSX oder CSV.",
      "old workbook":
        "Das ist eine alte Excel-Datei (XLS). Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als XLSX oder CSV.",
      "binary workbook":
        "Das ist eine binäre Excel-Datei (XLSB). Öffnen Sie sie in Excel, und speichern Sie sie als XLSX oder CSV.",
      "protected workbook":
        "Diese Datei hat ein Kennwort. Speichern Sie sie als CSV, oder als XLSX ohne Kennwort.",
      opendocument:
        "Das ist eine OpenDocument-Datei (ODS). Öffnen Sie sie in LibreOffice, und speichern Sie sie als XLSX oder CSV.",
      numbers:
        "Das ist eine Datei von Apple Numbers, Pages oder Keynote. Exportieren Sie sie in Numbers als CSV oder Excel (XLSX).",
      link: "Das ist nur ein Link zu Google Drive. Öffnen Sie ihn in Google Sheets, und laden Sie die Tabelle als XLSX oder CSV herunter.",
      document:
        "Das ist ein Textdokument, keine Tabelle. Kopieren Sie die Tabelle darin, und fügen Sie sie hier ein.",
      pdf: "Das ist ein PDF, keine Tabelle. Exportieren Sie die Tabelle aus ihrem Programm als XLSX oder CSV.",
      archive: "Diese Datei ist gepackt. Entpacken Sie sie, und wählen Sie die Datei darin.",
      "damaged workbook":
        "Diese Datei ist beschädigt. Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie neu.",
      "large workbook":
        "Diese Datei ist zu groß für die Seite. Verwenden Sie den Befehl: petstore pets import.",
      empty: "Darin sind keine Zeilen.",
      other: "Das ist keine Tabelle. Wählen Sie eine XLSX- oder CSV-Datei.",
    },
    choices: "Was die Spalten und Wörter bedeuten",
    table: "Tabellenblatt",
    encoding: "Kodierung. Sehen diese Namen richtig aus?",
    openEncoding: "Kodierung. Wählen Sie die, deren Namen richtig aussehen.",
    oddLine: (line) =>
      `Zeile ${line} ist nicht in UTF-8, die anderen schon. Berichtigen Sie sie in der Datei, oder lassen Sie weg, was nicht lesbar ist.`,
    reads: (encoding, samples) => (samples === "" ? encoding : `${encoding}: ${samples}`),
    regions: {
      western: "Westeuropäisch",
      central: "Mitteleuropäisch",
      southern: "Südeuropäisch",
      baltic: "Baltisch",
      nordic: "Nordisch",
      celtic: "Keltisch",
    },
    choose: "Auswählen…",
    sameForAll: "Für alle Tiere gleich",
    noColumn: "keine Spalte",
    otherTables: (tables) => `Nicht verwendete Tabellenblätter: ${tables}.`,
    hiddenTable: (name, rows) => `${name} (ausgeblendet, ${rows})`,
    column: (name, samples) => `${name} (${samples})`,
    nameless: plural("1 Tier hat keinen Namen", "# Tiere haben keinen Namen"),
    leaveOut: "Weglassen",
    confirm: "Diese Angaben stimmen",
    values: (field) => `${field}: Bedeutung`,
    allRows: "Alle Tiere",
    guessed: "geraten",
    chooseMeaning: (value) => `Wählen Sie, was „${value}“ bedeutet.`,
    answerFirst: "Beantworten Sie zuerst, was oben markiert ist.",
    noValue: "Kein Wert",
    rowCount: plural("1 Zeile", "# Zeilen"),
    others: (count) =>
      count === "0" ? "Alle unbekannten Wörter" : `Alle ${count} unbekannten Wörter`,
    above: plural(
      "Die Zeile über den Namen der Spalten wird nicht verwendet.",
      "Die # Zeilen über den Namen der Spalten werden nicht verwendet.",
    ),
    firstRow: (cells) => `Erste Zeile: ${cells}`,
    firstRowChoices: { names: "Namen der Spalten", animal: "Ein Tier" },
    hiddenRows: plural(
      "1 Zeile ist in der Datei ausgeblendet",
      "# Zeilen sind in der Datei ausgeblendet",
    ),
    hiddenRowsChoices: { add: "Auch verwenden", skip: "Weglassen" },
    storedAs: {
      name: plural(
        "1 Name ist in der Datei eine Zahl oder ein Datum, und dort vielleicht anders zu sehen.",
        "# Namen sind in der Datei Zahlen oder Daten, und dort vielleicht anders zu sehen.",
      ),
      reference: plural(
        "1 Nummer eines Tieres ist in der Datei ein Datum, und dort vielleicht anders zu sehen.",
        "# Nummern von Tieren sind in der Datei Daten, und dort vielleicht anders zu sehen.",
      ),
    },
    ignored: (columns) => `Diese Spalten werden nicht verwendet: ${columns}.`,
    nothing: "Nichts hinzuzufügen oder zu ändern.",
    fresh: plural("1 neues Tier", "# neue Tiere"),
    changed: plural("1 geändert", "# geändert"),
    equal: plural("1 unverändert", "# unverändert"),
    leftOut: plural("1 Zeile weggelassen", "# Zeilen weggelassen"),
    repeated: plural(
      "1 Tier mit diesem Namen und dieser Kategorie ist schon im Katalog.",
      "# Tiere mit diesen Namen und Kategorien sind schon im Katalog.",
    ),
    addAnyway: "Trotzdem hinzufügen",
    missing: plural(
      "1 Zeile hat die ID eines Tiers, das es hier nicht gibt.",
      "# Zeilen haben IDs von Tieren, die es hier nicht gibt.",
    ),
    addAsNew: "Als neue Tiere hinzufügen",
    renamed: plural(
      "1 Tier hat hier einen anderen Namen. Ist es ein anderes Tier?",
      "# Tiere haben hier andere Namen. Sind es andere Tiere?",
    ),
    changeAnyway: "Diese Tiere ändern",
    changesAdvice:
      "Was andere seit dem Speichern der Datei geändert haben, ist von Ihren Änderungen nicht zu unterscheiden.",
    rejected: plural(
      "1 Zeile hat einen Fehler und wird nicht gesendet.",
      "# Zeilen haben einen Fehler und werden nicht gesendet.",
    ),
    inRows: (count, first) => (count === "1" ? `Zeile ${first}:` : `${count} Zeilen:`),
    mistakes: {
      unclosed:
        "Das sind vielleicht mehrere Zeilen: Fehlt ein Anführungszeichen am Ende einer Zelle?",
      repeated: "Andere Zeilen haben dieselbe Nummer, aber andere Werte.",
      uncalculated:
        "Diese Formel hat kein Ergebnis. Öffnen Sie die Datei in Ihrer Tabellenkalkulation, und speichern Sie sie.",
      failed: "Eine Formel ist fehlgeschlagen.",
      undecoded: "Ein Zeichen war nicht lesbar. Stimmt die Kodierung?",
      merged:
        "Dieser Name ist eine Zelle für mehrere Zeilen. Schreiben Sie ihn in jede Zeile, oder nur in eine ohne Verbindung.",
      rounded: "Eine Tabellenkalkulation hat diese Zahl gerundet.",
      missing: "Es fehlt ein Name.",
    },
    sameNumber: plural(
      "1 Zeile hat eine Nummer, die zweimal vorkommt, mit anderen Werten. Welche gilt?",
      "# Zeilen haben Nummern, die mehrmals vorkommen, mit verschiedenen Werten. Welche gilt?",
    ),
    firstCounts: "Die erste",
    lastCounts: "Die letzte",
    prefix: "Vor jede Nummer setzen",
    prefixAdvice:
      "Bei mehreren Programmen: für jedes ein anderer Text wie nord-, von der ersten Datei an",
    alike: plural(
      "1 Zeile hat einen Namen oder eine Nummer wie ein Tier, das hier ist. Vielleicht ist es dasselbe.",
      "# Zeilen haben einen Namen oder eine Nummer wie ein Tier, das hier ist. Vielleicht sind es dieselben.",
    ),
    addAlike: "Als andere Tiere hinzufügen",
    gone: plural(
      "1 Tier mit einer Nummer von Ihnen steht nicht mehr in der Tabelle.",
      "# Tiere mit einer Nummer von Ihnen stehen nicht mehr in der Tabelle.",
    ),
    closeGone: (gone, all) => `Als vermittelt markieren (${gone} von ${all})`,
    noneKnown:
      "Keine Zeile hat die Nummer eines Tiers, das hier ist. Ist es eine andere Datei, oder fehlen Nullen am Anfang der Nummern?",
    badId: "Die ID ist keine ganze Zahl oder kommt zweimal vor.",
    saveRejected: "Diese Zeilen mit dem Grund speichern",
    rejectedFile: "zeilen-mit-fehlern.csv",
    preview: "Vorschau",
    row: "Zeile",
    notDrawn: plural("1 weitere wird nicht angezeigt.", "# weitere werden nicht angezeigt."),
    tooMany: (limit) =>
      `${limit} werden auf einmal gesendet. Die anderen folgen mit dem nächsten Klick.`,
    send: (added, changed) => {
      if (changed === "0")
        return added === "0"
          ? "Tiere hinzufügen"
          : plural("1 Tier hinzufügen", "# Tiere hinzufügen")(added);
      if (added === "0") return plural("1 Tier ändern", "# Tiere ändern")(changed);
      return `${added} hinzufügen, ${changed} ändern`;
    },
    stored: (added, changed) => {
      if (changed === "0")
        return plural("1 Tier wurde hinzugefügt.", "# Tiere wurden hinzugefügt.")(added);
      if (added === "0")
        return plural("1 Tier wurde geändert.", "# Tiere wurden geändert.")(changed);
      return `${plural("1 Tier wurde hinzugefügt", "# Tiere wurden hinzugefügt")(added)}, ${changed} geändert.`;
    },
    stopped: plural("1 Tier wurde nicht gesendet.", "# Tiere wurden nicht gesendet."),
    removed: plural("1 Tier wurde entfernt.", "# Tiere wurden entfernt."),
  },
  account: {
    menu: "Konto und Einstellungen",
    access: (canAdd, canRemove) => {
      if (canAdd)
        return `Mit Ihrem Schlüssel können Sie Tiere ansehen, hinzufügen${canRemove ? ", ändern und entfernen" : " und ändern"}.`;
      return `Mit Ihrem Schlüssel können Sie Tiere ansehen${canRemove ? " und entfernen" : ""}, aber nicht hinzufügen oder ändern.`;
    },
    keptForTab: "Er bleibt gespeichert, bis Sie diesen Tab schließen.",
    keptOnDevice: "Er bleibt auf diesem Gerät gespeichert, bis Sie sich abmelden.",
    language: "Sprache",
    help: "Hilfe",
    reference: "API-Referenz",
    signOutAndDiscard: (count) => `Abmelden und nicht Gespeichertes verwerfen (${count})`,
  },
  help: { contents: "Inhalt", back: "Zurück zur Tiervermittlung" },
  signIn: {
    title: "Bei der Tiervermittlung anmelden",
    lead: "Sehen Sie, welche Tiere verfügbar, reserviert und vermittelt sind, und fügen Sie neue hinzu.",
    key: "Zugangsschlüssel",
    keyAdvice: "Er beginnt mit pst_. Sie bekommen ihn vom Betreiber dieses Dienstes.",
    showKey: "Schlüssel anzeigen",
    remember: "Auf diesem Gerät merken",
    rememberWarning:
      "Wer diesen Browser benutzt, kann dann den Katalog lesen und Ihren Schlüssel verwenden. Wählen Sie das nur auf Ihrem eigenen Gerät.",
    checking: "Der Schlüssel wird geprüft …",
    later: "Versuchen Sie es gleich noch einmal.",
    keyMissing: "Geben Sie einen Zugangsschlüssel ein.",
    keyForm: "Ein Zugangsschlüssel hat keine Leerzeichen, Anführungszeichen oder Umlaute.",
  },
  problems: {
    offline: {
      what: "Sie sind offline",
      todo: "Prüfen Sie Ihre Verbindung. Sobald Sie online sind, geht es automatisch weiter.",
    },
    unreachable: {
      what: "Der Dienst antwortet nicht",
      todo: "Vielleicht startet er neu. Der Versuch wird automatisch wiederholt.",
    },
    slow: {
      what: "Der Dienst hat zu lange gebraucht",
      todo: "Der Versuch wird automatisch wiederholt.",
    },
    keyRejected: {
      what: "Ihr Schlüssel funktioniert nicht mehr",
      todo: "Er ist falsch, abgelaufen oder gesperrt. Melden Sie sich mit einem anderen an.",
    },
    keyUnknown: {
      what: "Dieser Schlüssel funktioniert nicht",
      todo: "Prüfen Sie, ob Sie ihn ganz kopiert haben. Er kann auch abgelaufen oder gesperrt sein.",
    },
    notAllowed: {
      what: "Ihr Schlüssel erlaubt das nicht",
      todo: "Bitten Sie den Betreiber um einen Schlüssel, der es erlaubt, oder verwenden Sie einen anderen.",
    },
    limited: {
      what: "Zu viele Anfragen",
      todo: "Ihr Schlüssel oder Ihr Netz hat sein Limit erreicht. Es geht automatisch weiter.",
    },
    busy: { what: "Der Dienst ist überlastet", todo: "Der Versuch wird automatisch wiederholt." },
    rejected: {
      what: "Der Dienst hat die Anfrage abgelehnt",
      todo: "Laden Sie die Seite neu. Hilft das nicht, fragen Sie den Betreiber.",
    },
    intercepted: {
      what: "Etwas zwischen Ihnen und dem Dienst hat geantwortet",
      todo: "Laden Sie die Seite neu: Vielleicht müssen Sie sich dort anmelden.",
    },
    failed: {
      what: "Im Dienst ist ein Fehler aufgetreten",
      todo: "Versuchen Sie es noch einmal. Bleibt der Fehler, nennen Sie dem Betreiber die Anfrage-ID.",
    },
    broken: {
      what: "Die Antwort des Dienstes ist unverständlich",
      todo: "Laden Sie die Seite neu. Vielleicht läuft schon eine neuere Version.",
    },
  },
  problem: (what, todo) => `${what}. ${todo}`,
  requestId: "Anfrage-ID",
  nextAttempt: (seconds) => `Nächster Versuch in ${seconds} s`,
};
