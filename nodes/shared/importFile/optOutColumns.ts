import { isPlaceholder } from '../service/noValue';
import { LONGEST_HEADER } from './fileColumns';

/** What people can refuse: by words in messages. */
export const CHANNELS = {
	calls: { no: 'no calls', data: 'phone numbers' },
	texts: { no: 'no texts', data: 'cell phone numbers' },
	emails: { no: 'no email', data: 'email addresses' },
	mail: { no: 'no mail', data: 'streets' },
} as const;

export type Channel = keyof typeof CHANNELS;

/** A column that says of people that they do not want to be called, or written to. */
export interface OptOutColumn {
	header: string;
	channels: readonly Channel[];
	/** Whether any value but a no is an opt-out: else only words such as `Unsubscribed` are. */
	isOnlyOptOut: boolean;
	/** Whether a value is an opt-out. */
	saysOut(value: string): boolean;
}

/** `HasOptedOutOfEmail` → `has opted out of email`. */
function wordsOf(header: string): string {
	return header
		.slice(0, LONGEST_HEADER)
		.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, (signs) => (/\p{M}/u.test(signs) ? '' : ' '))
		.replace(/\be mail/g, 'email')
		.trim();
}

const WHAT =
	'(?:call|phone|telephone|contact|e?mail|bulk ?e?mail|text|sms|solicit|disturb|send|allow|post(?!al code))';

/** Headers of columns whose values are opt-outs unless they say no. */
const OPT_OUT = [
	new RegExp(`\\bdo ?not ?(?:want )?(?:to )?(?:allow )?(?:bulk |mass |postal )?${WHAT}`),
	new RegExp(`^(?:requests )?no (?:phone |bulk |mass |more )?${WHAT}(?:s|ings?)?(?: |$)`),
	/^no(?:call|e?mail|text|sms)s?$/,
	/\bdnc\b/,
	/\bopt(?:ed|ing|s)? ?outs?\b/,
	/\bunsub(?:scri\p{L}*)?\b/u,
	/^clean(?:ed)? (?:time|campaign|date|at)\b/,
	/\b(?:hard )?bounced?\b(?!.*rate)/,
	/\b(?:black|block) ?list(?:ed)?\b/,
	/\bsuppress(?:ed|ions?)?\b/,
	/\bspam complaint/,
	/\b(?:ne pas|nicht|nao|no) (?:appeler|contacter|telephoner|ecrire|anrufen|kontaktieren|anschreiben|ligar|contatar|llamar|contactar|enviar)\b/,
	/\bdes(?:abonn|inscri)|\bdado de baja\b|\babgemeldet\b|\bwerbesperre\b|\bdescadastr/,
	/^keine (?:anrufe|emails?|post|werbung)\b/,
];

/** Columns that say who or how, or that are the same for all. */
const NO_FLAG = /\b(?:by|link|url|method|source|campaign id|count|rate|text|message)$/;

/** Headers of columns in which some values are opt-outs. */
const STATUS =
	/\b(?:status|state|consent|permission|preferences?|subscri\p{L}*|opt(?:ed)? ?in|marketing|deliverab\p{L}*)\b/u;
const OF_CONTACT =
	/\b(?:e?mails?|sms|text|texts|phone|mobile|cell|calls?|contact|mailings?|newsletter|marketing|subscri\p{L}*|opt(?:ed)? ?in|permission|consent)\b/u;
/** Headers that ask whether somebody may be called or written to, so that a no is an opt-out. */
const PERMISSION =
	/\bopt(?:ed|s)? ?in\b|\bsubscribed?\b|\b(?:consent|permission)(?:s|ed)?\b|\b(?:agree[sd]?|accept(?:s|ed)?|want|wants|like|ok|okay|willing) to (?:get |be |receive )?|\b(?:may|can) we\b|\baccept(?:s|ed)? (?:\p{L}+ )?marketing\b|^receives? |^(?:contact|text|call) (?:me )?by\b|^sign (?:me )?up\b/u;
/** Columns that say who agreed when: they say nothing about those who did not. */
const NO_STATUS = /\b(?:date|time|at|on|ip|source|campaign|link|url|by)$/;

/** Headers of columns in which people note whatever there is. */
const ANYTHING =
	/\b(?:status|tags?|notes?|comments?|remarks?|flags?|warnings?|alerts?|lists?|groups?|preferences?)$/;

const NO =
	/^(?:n|no|non|nein|não|nao|f|false|0+(?:\.0+)?|off|allow(?:ed)?|unchecked|not set|ok|okay|ok to \p{L}+|subscribed|active|opt(?:ed)?[ -_]?in|opt_in|-+)$/iu;

/** Matches only a clear no; an unknown answer is not one. */
const SAYS_NO = /^(?:n|no|non|nein|não|nao|f|false|0)$/i;

const STRONG =
	'un-?subscribed?|unsub|opt(?:ed)?[ _-]?out|do ?not ?(?:call|contact|e-?mail|text|sms|phone|mail|solicit)|dnc|no (?:calls?|e-?mails?|texts?|sms|mailings?|contact)|never (?:call|contact|e-?mail|text)|désabonnée?|désinscrite?|dado de baja|abgemeldet|ne pas (?:appeler|contacter)|no (?:llamar|contactar)|nicht (?:anrufen|kontaktieren)';
/** Alone or in a list of tags. */
const SAYS_OUT = new RegExp(`(?:^|[,;|])\\s*(?:${STRONG})\\W*(?:$|[,;|])`, 'iu');
const STATUS_OUT = new RegExp(
	`^(?:${STRONG}|cleaned|(?:hard |soft )?bounc(?:e|ed|ing)|(?:spam )?complain(?:ed|t)|spam(?: complaint)?|suppressed|blocked|(?:black|block) ?listed|revoked|declined|withdrawn|removed|refused|denied|stop(?:ped)?|opted-out|unreachable|do ?not ?allow)$`,
	'iu',
);

const LONGEST = 500;

const isNo = (value: string): boolean => NO.test(value) || isPlaceholder(value);

/** A yes, a date, a reason; not a number of calls, and no link to unsubscribe. */
function saysOut(value: string): boolean {
	const text = value.slice(0, LONGEST).trim();
	if (text === '' || isNo(text) || /^https?:/i.test(text)) return false;
	const [digits] = /^\d+$/.exec(text) ?? [];
	return digits === undefined || digits === '1' || digits.length > 4;
}

function channelsOf(words: string): Channel[] {
	const channels: Channel[] = [];
	if (
		/\b(?:calls?|phone|telephone|dnc|telephoner|appeler|llamar|anrufen|anrufe|ligar)\b|donotcall|nocall/.test(
			words,
		)
	)
		channels.push('calls');
	if (/\b(?:text|texts|sms|mobile|cell)\b|notext|nosms/.test(words)) channels.push('texts');
	if (
		/email|unsub|subscri|newsletter|\bclean|bounc|spam|\bdes(?:abonn|inscri)|abgemeldet|descadastr/.test(
			words,
		)
	)
		channels.push('emails');
	if (channels.length === 0 && /\b(?:mail|mailings?|postal|post)\b|nomail|donotmail/.test(words))
		channels.push('mail');
	return channels.length > 0 ? channels : ['calls', 'texts', 'emails'];
}

/** Taken from a value that names what a person does not want, otherwise from the header. */
export function optOutColumn(header: string): OptOutColumn | undefined {
	const words = wordsOf(header);
	if (OPT_OUT.some((pattern) => pattern.test(words))) {
		if (NO_FLAG.test(words) && !/\b(?:not|no) ?text$/.test(words)) return undefined;
		return { header, channels: channelsOf(words), isOnlyOptOut: true, saysOut };
	}
	const isOfContact = OF_CONTACT.test(words);
	const asks = PERMISSION.test(words);
	if ((asks || STATUS.test(words)) && isOfContact && !NO_STATUS.test(words)) {
		return {
			header,
			channels: channelsOf(words),
			isOnlyOptOut: false,
			saysOut(value) {
				const text = value.slice(0, LONGEST).trim();
				if (text === '') return false;
				return STATUS_OUT.test(text) || (asks && SAYS_NO.test(text));
			},
		};
	}
	if (!ANYTHING.test(words)) return undefined;
	return {
		header,
		channels: channelsOf(isOfContact ? words : ''),
		isOnlyOptOut: false,
		saysOut: (value) => SAYS_OUT.test(value.slice(0, LONGEST)),
	};
}
