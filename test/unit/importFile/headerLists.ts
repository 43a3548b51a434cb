/**
 * Columns of exports, templates and public files: after each source the place that shows its headers, or
 * "From memory" where none was found; between bars `header = value → field`, `header = value ✗` for a column
 * that only looks like one, and `header = value` where it feeds nothing. All values are invented.
 *
 * The table of headers was made from these lists, from those in `matchHeaders.test.ts`, and from others that
 * have no header of a field that these lack. The lists in `unseenHeaderLists.ts` are the test: the table was
 * never changed for them.
 */
export const learnedLists: Record<string, string> = {
	// The header of a script that reads all contributions, ActBlueAllContributionsHeader; the last five:
	// github.com/community-tech-alliance/airbyte-source-actblue.
	ActBlue: `
		Receipt ID = AB1234 | Date = 2026-03-01 10:00:00 | Amount = 25.00 | Recurring Total Months = 1 |
		Recurrence Number = 1 | Recipient = Example for Alaska | Fundraising Page = example-page |
		Fundraising Partner = Example Works | Reference Code 2 = b | Reference Code = a |
		Donor First Name = Ann → FirstName | Donor Last Name = Sample → LastName |
		Donor Addr1 = 1 Elm St → AddressLine1 | Donor Addr2 = Apt 2 → AddressLine2 |
		Donor City = Nome → City | Donor State = AK → StateOrProvince |
		Donor ZIP = 99762 → ZipOrPostal | Donor Country = United States ✗ |
		Donor Occupation = Engineer → OccupationName | Donor Employer = Example Works → EmployerName |
		Donor Email = ann@example.org → Email | Donor Phone = 9075550100 → Phone |
		New Express Signup = false | Comments = Thank you | Check Number = 1042 |
		Check Date = 2026-03-08 | Employer Addr1 = 3 Pine Rd | Employer Addr2 = Suite 4 |
		Employer City = Juneau | Employer State = AK | Employer ZIP = 99801 |
		Employer Country = United States | Donor ID = 771 | Fundraiser ID = 12 |
		Fundraiser Recipient ID = 13 | Fundraiser Contact Email = bob@example.org |
		Fundraiser Contact First Name = Bob | Fundraiser Contact Last Name = Example | Partner ID = 14 |
		Partner Contact Email = eve@example.org | Partner Contact First Name = Eve |
		Partner Contact Last Name = Example | Lineitem ID = 88012 | AB Test Name = spring |
		Recipient Committee = Example for Alaska | Recipient ID = 15 | Recipient Gov ID = C00000001 |
		Recipient Election = P2026 | Payment ID = 881 | Payment Date = 2026-03-08 |
		Disbursement ID = 882 | Disbursement Date = 2026-03-08 | Mobile = false ✗ |
		Text Message Opt In = unknown | Shipping Addr1 = 2 Oak Ave | Shipping City = Juneau |
		Card Type = visa`,
	// github.com/SURJBayArea/EveryActionTools, README.md: columns of an activist report.
	'Action Network': `
		uuid = 5d8a2f4e-0000-4000-8000-1f2e3d4c5b6a | first_name = Ann → FirstName |
		last_name = Sample → LastName | email = ann@example.org → Email |
		zip_code = 99762 → ZipOrPostal | can2_user_address = 1 Elm St → AddressLine1 |
		can2_user_city = Nome → City | can2_state_abbreviated = AK → StateOrProvince |
		country = US → CountryCode | can2_phone = 19075550101 → Phone | can2_sms_status = subscribed |
		can2_subscription_status = subscribed | can2_user_tags = Volunteer, Host`,
	// A test of a finder of columns, "BigCommerce export".
	'BigCommerce orders': `
		Order ID = 1207 | Order Date = 03/01/2026 | Delivery Date = 03/08/2026 |
		Order Status = Completed | Order Total = 30.00 | Cart Base Amount = 30.00 | Tax Total = 0 |
		Shipping Total = 0 | Refund Amount = 0 | Payment Method = Card | Card Number (Last 4) = 4242 |
		First Name = Ann → FirstName | Last Name = Sample → LastName |
		Email Address = ann@example.org → Email | Phone = 9075550100 → Phone |
		Billing Street 1 = 1 Elm St → AddressLine1 | Billing City = Nome → City |
		Billing State = AK → StateOrProvince | Billing Zip Code = 99762 → ZipOrPostal |
		Billing Country = US → CountryCode | Shipping Street 1 = 2 Oak Ave | Shipping City = Juneau |
		Shipping State = AK | Shipping Zip Code = 99801 | Shipping Country = US |
		IP Address = 192.0.2.1 | Customer Message = Thank you | Staff Notes = Called in May`,
	// github.com/jsalsbury-ofb/ofb-docs, docs/classy/getting-started.md.
	'Classy gifts': `
		Transaction ID = 880121 | Payment Processor Reference ID = ch_0001 |
		Transaction Date = 3/1/2026 | Supporter Name = Ann Sample | Number of Tickets = 0 |
		Gross Transaction Amount = 25 | Total Fees = 1.05 |
		Billing Email Address = ann@example.org → Email | Billing Address 2 = Apt 2 ✗ |
		Billing City = Nome → City | Billing State = AK → StateOrProvince |
		Billing Postal Code = 99762 → ZipOrPostal | Billing Country = US → CountryCode |
		Billing Phone Number = 9075550100 → Phone | Donor is Anonymous = No |
		Internal Campaign Name = Spring | Campaign ID = 44 | Credit Card Type = visa |
		Payment Type = Card | Transaction Status = success | Program Designation = General |
		Fundraising Page Name = Run for Nome | Fundraiser First Name = Bob |
		Fundraiser Last Name = Example | Fundraiser Supporter ID = 9917`,
	// github.com/Willlinnii/meteor-steel-site-2, scripts/mergeContacts.js.
	'Constant Contact': `
		Email address = ann@example.org → Email | First name = Ann → FirstName |
		Last name = Sample → LastName | Company = Example Works → EmployerName |
		Job title = Engineer → OccupationName | Phone - home = 9075550100 → Phone |
		Country - Home = US → CountryCode | Birthday = 09/18 ✗ | Anniversary = 06/01 |
		Email status = Active | Email permission status = Implicit | Email Lists = News |
		Tags = Member | Created At = 2026-03-01 16:45:13 -0400 | Updated At = 2026-03-02 16:45:13 -0400`,
	// A script that cleans such files: "First name,Last name,Company,Job title,Email address - home,…".
	'Constant Contact with types': `
		First name = Ann → FirstName | Last name = Sample → LastName |
		Company = Example Works → EmployerName | Job title = Engineer → OccupationName |
		Email address - home = ann@example.org → Email | Email status - home = Active |
		Email permission status - home = Implicit |
		Email address - other = ann2@example.org → OtherEmail |
		Email address - work = ann@work.example.org → WorkEmail | Phone - fax = 9075550103 |
		Phone - home = 9075550100 → Phone | Phone - mobile = 9075550101 → CellPhone |
		Phone - work = 9075550102 → WorkPhone | Street address line 1 - Home = 1 Elm St → AddressLine1 |
		City - Home = Nome → City | State/Province - Home = AK → StateOrProvince |
		Zip/Postal Code - Home = 99762 → ZipOrPostal | Country - Home = US → CountryCode |
		Street address line 1 - Home 2 = 2 Oak Ave | City - Home 2 = Juneau | City - Work = Juneau |
		Zip/Postal Code - Work = 99801 | Website = example.org | Email Lists = News |
		Created At = 2026-03-01`,
	// github.com/katharinebeaumont/badge-service, src/test/java/badgeService/util/CSVAttendeeMapperTest.java.
	'Eventbrite in the UK': `
		Order no. = 1098765432 | Order Date = 2026-08-01 10:15:00 | First Name = Ann → FirstName |
		Surname = Sample → LastName | Email = ann@example.org → Email | Quantity = 1 |
		Ticket Type = General Admission | Order Type = Free Order | Total Paid = 0.00 |
		Eventbrite Fees = 0.00 | Eventbrite Payment Processing = 0.00 | Attendee Status = Attending |
		Home Address 1 = 1 Elm St → AddressLine1 | Home Address 2 = Flat 2 → AddressLine2 |
		Home City = Leeds → City | County of Residence = West Yorkshire |
		Home Postcode = LS1 4AP → ZipOrPostal | Home Country = GB → CountryCode`,
	// docs.port.church/giving-import/providers/fellowshipone.
	'Fellowship One gifts': `
		Contributor_ID = 8801 | Contributor_Name = Ann Sample | Preferred_Phone = 907-555-0100 → Phone |
		Preferred_Email = ann@example.org → Email | Fund = General | Fund_Type = Contribution |
		Received_Date = 3/1/2026 | Type = Check | Reference = 1042 | Amount = 25.00 |
		City = Nome → City | Contributor_Type = Individual | Postal_Code = 99762 → ZipOrPostal |
		State_Province = AK → StateOrProvince | Street_1 = 1 Elm St → AddressLine1 |
		Street_2 = Apt 2 → AddressLine2 | Street_3 = Box 3 → AddressLine3 | campus = North |
		labels = x | payment source = web | person id = 8801`,
	// An export of clients: "Prénom,Nom,Genre,Date de naissance,Âge,Téléphone,Email,Adresse,…".
	'French clients': `
		Prénom = Anne → FirstName | Nom = Exemple → LastName | Genre = F → Sex |
		Date de naissance = 18/09/1975 → DOB | Âge = 50 | Téléphone = 06 39 98 12 34 → Phone |
		Email = anne@example.org → Email | Adresse = 1 rue des Ormes → AddressLine1 |
		Nationalité = française | Région = Bretagne | Département = Finistère |
		Contact d'urgence = Paul Exemple | Téléphone d'urgence = 06 39 98 12 35 |
		Passeport = 00AA00000 | Expiration passeport = 01/01/2030 | Statut = actif |
		Date création = 01/03/2026`,
	// From memory, after "Nom,Prénom,Téléphone,Email" of an address book.
	'French list': `
		Nom = Exemple → LastName | Prénom = Anne → FirstName | Date de naissance = 18/09/1975 → DOB |
		Adresse = 1 rue des Ormes → AddressLine1 | Code postal = 75001 → ZipOrPostal |
		Ville = Paris → City | Téléphone = 01 99 00 12 34 → Phone |
		Courriel = anne@example.org → Email | Groupes = A`,
	// A test of a mapping of columns: "Prénom", "Nom de famille", "Adresse e-mail", "Téléphone portable", "Fonction", "Société".
	'French sales contacts': `
		Prénom = Anne → FirstName | Nom de famille = Exemple → LastName |
		Adresse e-mail = anne@example.org → Email | Téléphone portable = 06 39 98 12 34 → CellPhone |
		Fonction = Ingénieure → OccupationName | Société = Exemple SARL → EmployerName`,
	// A test of an import of answers: "Marca temporal,Nombre,Apellido,Dirección de correo electrónico,…"; birthday
	// and postal code from memory.
	'Google Forms in Spanish': `
		Marca temporal = 13/06/2026 10:00:00 | Nombre = Ana → FirstName |
		Apellido = Ejemplo → LastName | Dirección de correo electrónico = ana@example.org → Email |
		Teléfono celular = 907 555 0101 → CellPhone | Fecha de nacimiento = 18/9/1975 → DOB |
		Código postal = 99762 → ZipOrPostal | Membresía = Sí`,
	// A test of an import of such answers: "Timestamp,Email Address,First Name,Middle Name,…,Office Email,Contact No".
	'Google Forms registration': `
		Timestamp = 3/1/2026 10:00:00 | Email Address = ann@example.org → Email |
		First Name = Ann → FirstName | Middle Name = B → MiddleName | Last Name = Sample → LastName |
		Nickname = Annie | Sex = Female → Sex | Sector = Energy | Agency = North |
		Designation = Analyst | Office Email = ann@work.example.org → WorkEmail |
		Contact No = 9075550100 → Phone`,
	// A converter of contacts, "Available in source": "Highrise ID", "Company or Person", ….
	'Highrise contacts': `
		Highrise ID = 12 | Company or Person = Person | Name = Ann Sample |
		First name = Ann → FirstName | Last name = Sample → LastName |
		Company = Example Works → EmployerName | Title = Engineer ✗ | Background = Met in May |
		LinkedIn URL = https://example.org/ann | Tags = VIP | Address - Work Street = 3 Pine Rd |
		Address - Work City = Juneau | Address - Work State = AK | Address - Work Zip = 99801 |
		Address - Work Country = US | Company Address - Work Street = 3 Pine Rd |
		Company Address - Work City = Juneau | Phone number - Work = 9075550102 → WorkPhone |
		Phone number - Mobile = 9075550101 → CellPhone | Phone number - Fax = 9075550103 |
		Phone number - Home = 9075550100 → Phone | Phone number - Other = 9075550104 |
		Email address - Work = ann@work.example.org → WorkEmail |
		Email address - Home = ann@example.org → Email |
		Email address - Other = ann2@example.org → OtherEmail | Web address - Work = example.org |
		Company Phone number - Work = 9075550105 | Company Email address - Work = info@example.org |
		Created at = 2026-03-01 | Subscribed = true | Added by = Bob Example | Referred By = Eve Example`,
	// Tests of readers of HubSpot exports; all their columns.
	HubSpot: `
		Record ID = 39779198735 | First Name = Ann → FirstName | Last Name = Sample → LastName |
		Email = ann@example.org → Email | Phone Number = +1 907-555-0100 → Phone |
		Job Title = Engineer → OccupationName | Company Name = Example Works → EmployerName |
		Contact owner = Bob Example | Lead Status = NEW | Create Date = 2026-03-12 09:14 |
		Associated Company = Example Works | Associated Company IDs = 9001 | Lifecycle Stage = lead |
		Original Source = ORGANIC_SEARCH | City = Nome → City | State/Region = AK → StateOrProvince |
		Postal Code = 99762 → ZipOrPostal | Country/Region = US → CountryCode`,
	// A test of a table of policies: "Insured Last Name", "Insured First Name", ….
	'Insurance policies': `
		Policy ID = 12 | Group ID = 13 | Subscriber ID = 14 | Relationship = Self |
		Plan Start Date = 01/01/2026 | Premium Amount = 300 | Insured Last Name = Sample → LastName |
		Insured First Name = Ann → FirstName | Insured SSN = 000000000 |
		Insured DOB = 09/18/1975 → DOB | Insured Gender = F → Sex |
		Email Address = ann@example.org → Email | Primary Phone = 9075550100 → Phone |
		Alternate Phone = 9075550102 | Residence Address Line 1 = 1 Elm St → AddressLine1 |
		Residence Address Line 2 = Apt 2 → AddressLine2 | Residence City = Nome → City |
		Residence State = AK → StateOrProvince | Residence Zip = 99762 → ZipOrPostal |
		Residence Fips Code = 02180 | Mailing Address Line 1 = PO Box 3 ✗ |
		Mailing Address City = Juneau ✗ | Mailing Address State = AK ✗ | Mailing Address Zip = 99801 ✗ |
		Broker License Number = 15 | Broker Name = Bob Example`,
	// The header in github.com/acl-org/acl-anthology, bin/add_attachments.py, and of a test of an attendance sheet.
	'Microsoft Forms': `
		ID = 1 | Start time = 9/9/26 18:01 | Completion time = 9/9/26 18:02 | Email = anonymous ✗ |
		Name = Anonymous | Your email address = ann@example.org → Email | First name = Ann → FirstName |
		Last name = Sample → LastName | I agree to the terms = Yes`,
	// A query over the weekly export of a nation: nb_updates_NEW. Its many other columns are counts and dates.
	NationBuilder: `
		nationbuilder_id = 43306 | twitter_id = 1 | facebook_username = ann | civicrm_id = 12 |
		external_id = 44 | salesforce_id = 0035e00000XyZab | prefix = Ms. → Title |
		first_name = Ann → FirstName | middle_name = B → MiddleName | last_name = Sample → LastName |
		suffix = Jr → Suffix | full_name = Ann Sample | legal_name = Anna Sample |
		employer = Example Works → EmployerName | occupation = Engineer → OccupationName |
		sex = F → Sex | party = D | religion = none | ethnicity = x | marital_status = S |
		website = example.org | language = en | is_deceased = false | born_at = 1975-09-18 → DOB |
		email1 = ann@example.org ✗ | email2 = ann2@example.org → OtherEmail |
		email3 = ann3@example.org | email4 = ann4@example.org | email_opt_in = true |
		phone_number = 9075550100 → Phone | work_phone_number = 9075550102 → WorkPhone |
		do_not_call = false | do_not_contact = false | federal_donotcall = false |
		mobile_number = 9075550101 → CellPhone | mobile_opt_in = true | is_mobile_bad = false |
		fax_number = 9075550103 | support_level = 1 | note = Met in May |
		point_person_name_or_email = Bob Example | recruiter_name_or_email = bob@example.org |
		tag_list = Volunteer | created_at = 2026-03-01T10:00:00Z | is_supporter = true |
		is_volunteer = true | is_donor = false | first_donated_at = 2025-01-02 | donations_amount = 25 |
		state_file_id = AK0001 | county_file_id = 0001 | precinct_name = North 2 |
		email = ann@example.org → Email | email1_is_bad = false |
		primary_country_code = US → CountryCode | primary_country = United States ✗ |
		primary_state = AK → StateOrProvince | primary_city = Nome → City | primary_county = Nome |
		primary_zip = 99762 → ZipOrPostal | primary_address1 = 1 Elm St → AddressLine1 |
		primary_address2 = Apt 2 → AddressLine2 | primary_address3 = Box 3 → AddressLine3 |
		primary_submitted_address = 1 Elm St, Nome | address_country_code = US ✗ |
		address_state = AK ✗ | address_city = Juneau ✗ | address_zip = 99801 ✗ |
		address_address1 = 2 Oak Ave ✗ | work_state = AK | work_city = Juneau | work_zip = 99801 |
		work_address1 = 3 Pine Rd | mailing_state = AK ✗ | mailing_city = Juneau ✗ |
		mailing_zip = 99801 ✗ | mailing_address1 = PO Box 3 ✗ | mailing_street_name = Oak |
		mailing_zip5 = 99801 ✗ | user_submitted_city = Nome ✗ | user_submitted_address1 = 1 Elm ✗ |
		registered_state = AK ✗ | registered_city = Nome ✗ | registered_zip = 99762 ✗ |
		registered_address1 = 1 Elm Street ✗ | registered_street_name = Elm`,
	// The header of a reader of such files, PayPalHeader.
	'PayPal activity': `
		Date = 3/1/2026 | Time = 10:00:00 | TimeZone = PST | Name = Ann Sample |
		Type = Donation Payment | Status = Completed | Currency = USD | Gross = 25.00 | Fee = -1.03 |
		Net = 23.97 | From Email Address = ann@example.org ✗ | To Email Address = info@example.org ✗ |
		Transaction ID = 5AB12345CD678901E |
		Shipping Address = Ann, Sample, 1 Elm St, Nome, AK, 99762, United States |
		Address Status = Confirmed | Item Title = Spring | Item ID = 12 |
		Shipping and Handling Amount = 0.00 | Sales Tax = 0.00 | Reference Txn ID = x |
		Invoice Number = x | Custom Number = x | Quantity = 1 | Receipt ID = x | Balance = 123.97 |
		Address Line 1 = 1 Elm St → AddressLine1 |
		Address Line 2/District/Neighborhood = Apt 2 → AddressLine2 | Town/City = Nome → City |
		State/Province/Region/County/Territory/Prefecture/Republic = AK → StateOrProvince |
		Zip/Postal Code = 99762 → ZipOrPostal | Country = United States ✗ |
		Contact Phone Number = 9075550100 → Phone | Subject = Spring | Note = Thank you |
		Country Code = US → CountryCode | Balance Impact = Credit`,
	// Readers of people exports: 'Person - First name', 'Person - Email - Work', 'Person - Phone - Mobile', ….
	'Pipedrive people': `
		Person - ID = 12 | Person - Name = Ann Sample | Person - First name = Ann → FirstName |
		Person - Last name = Sample → LastName | Person - Organization = Example Works → EmployerName |
		Person - Job title = Engineer → OccupationName |
		Person - Email - Work = ann@work.example.org → WorkEmail |
		Person - Email - Home = ann@example.org → Email |
		Person - Email - Other = ann2@example.org → OtherEmail |
		Person - Phone - Work = 9075550102 → WorkPhone | Person - Phone - Home = 9075550100 → Phone |
		Person - Phone - Mobile = 9075550101 → CellPhone | Person - Phone - Other = 9075550104 |
		Person - Labels = Customer | Person - Owner = Bob Example |
		Person - Marketing status = Subscribed | Person - Person created = 2026-03-01 |
		Person - Next activity date = 2026-04-01`,
	// A test that parses the template of Pipeline CRM: "First Name,Last Name,Company Name,Person Summary,Title,…".
	'Pipeline CRM': `
		First Name = Ann → FirstName | Last Name = Sample → LastName |
		Company Name = Example Works → EmployerName | Person Summary = Manages a team |
		Title = Operations Manager ✗ | Work Phone = (907) 555-0102 → WorkPhone |
		Mobile Phone = (907) 555-0101 → CellPhone | Work Email = ann@work.example.org → WorkEmail |
		Other Email = ann2@example.org → OtherEmail | Website = http://www.example.org |
		Fax = (907) 555-0103 | Tag = Vendor | Type (contact or lead) = lead |
		Activity = Had a great call. | Work Address 1 = 100 King St | Work Address 2 = Suite 425 |
		Work City = Juneau | Work State = AK | Work Postal Code = 99801 | Work Country = US |
		Home Address 1 = 1 Elm St → AddressLine1 | Home Address 2 = Apt 2 → AddressLine2 |
		Home City = Nome → City | Home State = AK → StateOrProvince |
		Home Postal Code = 99762 → ZipOrPostal | Home Country = US → CountryCode |
		Home Email = ann@example.org → Email | Home Phone = (907) 555-0100 → Phone |
		Lead Source = Inbound Call | People Status = Hot | Owner = Bob Example | Created At = 3/1/2026 |
		Twitter ID = ann | LinkedIn URL = https://example.org/ann`,
	// Fields of Contact: github.com/api-evangelist/salesforce-sales-cloud.
	Salesforce: `
		Id = 0035e00000XyZab | Salutation = Ms. → Title | Title = VP of Sales ✗ |
		FirstName = Ann → FirstName | LastName = Sample → LastName | Name = Ann Sample |
		Email = ann@example.org → Email | Phone = (907) 555-0100 → Phone |
		MobilePhone = (907) 555-0101 → CellPhone | HomePhone = (907) 555-0102 ✗ |
		Birthdate = 1975-09-18 → DOB | MailingStreet = 1 Elm St → AddressLine1 |
		MailingCity = Nome → City | MailingState = AK → StateOrProvince |
		MailingPostalCode = 99762 → ZipOrPostal | MailingCountry = US → CountryCode |
		OtherStreet = 2 Oak Ave | HasOptedOutOfEmail = false`,
	// The header of an export of customers: "Tipo Documento,Número Documento,Nombre,Apellidos,Email,Teléfono,Ciudad,Estado".
	'Spanish customers': `
		Tipo Documento = DNI | Número Documento = 12345678 | Nombre = Ana → FirstName |
		Apellidos = Ejemplo → LastName | Email = ana@example.org → Email |
		Teléfono = 5599001234 → Phone | Ciudad = Lima → City | Estado = Activo ✗`,
	// The README of an import of a school: "Tipo de asistente,Nombres,Apellidos,…"; address and city from memory.
	'Spanish list': `
		Tipo de asistente = acudiente | Nombres = Ana → FirstName | Apellidos = Ejemplo → LastName |
		Número de documento = 123456789 | Correo electrónico = ana@example.org → Email |
		Teléfono = 907 555 0100 → Phone | Dirección = Calle Olmo 1 → AddressLine1 |
		Ciudad = Nome → City | Empresa = Obras Ejemplo → EmployerName |
		Cargo = Ingeniera → OccupationName`,
	// A test of an import of patients: "Nombre,Correo Electrónico,Teléfono,Fecha_Nacimiento,…".
	'Spanish patients': `
		Nombre = Ana Ejemplo ✗ | Correo Electrónico = ana@example.org → Email |
		Teléfono = 5599001234 → Phone | Fecha_Nacimiento = 1992-04-15 → DOB |
		Contacto_Emergencia = María Ejemplo | Teléfono_Emergencia = 5599001235 | Notas = Tarde`,
	// The header that a maker of student groups writes: "Timestamp,What is your first name (or the name …)?,…".
	'Survey of a course': `
		Timestamp = 3/1/2026 10:00:00 |
		What is your first name (or the name you prefer to be called)? = Ann → FirstName |
		What is your last name? = Sample → LastName |
		What is your email address? = ann@example.org → Email |
		With which gender do you identify? = Woman ✗`,
	// From memory: questions as people ask them.
	'Survey questions': `
		Timestamp = 3/1/2026 10:00:00 | What is your first name? = Ann → FirstName |
		What is your last name? (required) = Sample → LastName |
		What is your ZIP code? = 99762 → ZipOrPostal | Birthday (optional) = 9/18/1975 → DOB |
		Your email address * = ann@example.org → Email |
		Please enter your cell phone number = 907-555-0101 → CellPhone |
		How did you hear about us? = A friend`,
	// Exports of Votebuilder as several scripts rename them, e.g. of github.com/blytheaw, and a control column.
	'VAN list': `
		Voter File VANID = 100001 | LastName = Sample → LastName | FirstName = Ann → FirstName |
		MiddleName = B → MiddleName | Suffix = Jr → Suffix | Sex = F → Sex | Party = D | Age = 47 |
		mAddress = 1 Elm St ✗ | mCity = Nome ✗ | mState = AK ✗ | mZip5 = 99762 ✗ |
		vAddress = 2 Oak Ave → AddressLine1 | vCity = Nome → City | vState = AK → StateOrProvince |
		vZip5 = 99762 → ZipOrPostal | Pref Phone = 907-555-0100 → Phone |
		Cell Phone = (907) 555-0101 → CellPhone | DOB = 9/18/1975 → DOB | PrecinctName = North 2 |
		Action = Attempted`,
	// github.com/justicedemocrats/twilio_list_lookup, lib/twilio_list_lookup.ex: "Alternative VAN".
	'VAN phone list': `
		Voter File VANID = 100001 | Sex = F → Sex | LastName = Sample → LastName |
		FirstName = Ann → FirstName | MiddleName = B → MiddleName | Suffix = Jr → Suffix |
		Preferred Phone = 907-555-0100 → Phone | Cell Phone = 907-555-0101 → CellPhone |
		Home Phone = 907-555-0104 ✗ | Party = D | Age = 47 | WorkPhone = 907-555-0102 → WorkPhone |
		WorkPhoneExt = 12 | StreetNo = 1 → AddressLine1 | StreetNoHalf = 1/2 → AddressLine1 |
		StreetPrefix = N → AddressLine1 | StreetName = Elm → AddressLine1 |
		StreetType = St → AddressLine1 | StreetSuffix = W → AddressLine1 |
		AptType = Apt → AddressLine2 | AptNo = 2 → AddressLine2 | City = Nome → City |
		State = AK → StateOrProvince | Zip5 = 99762 → ZipOrPostal | Zip4 = 0001`,
	// github.com/CodeForPhilly/paws-data-pipeline, src/server/api/file_uploader.py: volgistics.
	Volgistics: `
		Last name = Sample → LastName | First name = Ann → FirstName | Middle name = B → MiddleName |
		Number = 3021 | Complete address = 1 Elm St, Nome, AK 99762 ✗ |
		Street 1 = 1 Elm St → AddressLine1 | Street 2 = Apt 2 → AddressLine2 |
		Street 3 = Box 3 → AddressLine3 | City = Nome → City | State = AK → StateOrProvince |
		Zip = 99762 → ZipOrPostal | All phone numbers = (907) 555-0100, (907) 555-0101 |
		Home = (907) 555-0100 → Phone | Work = (907) 555-0102 → WorkPhone |
		Cell = (907) 555-0101 → CellPhone |
		Email = ann@example.org → Email`,
	// github.com/national-voter-file/national-voter-file, src/python/national_voter_file/us_states/co/transformer.py.
	'Voter file of Colorado': `
		VOTER_ID = 100000001 | COUNTY_CODE = 1 | LAST_NAME = SAMPLE → LastName |
		FIRST_NAME = ANN → FirstName | MIDDLE_NAME = B → MiddleName | NAME_SUFFIX = JR → Suffix |
		STATUS_CODE = A | PARTY = DEM | GENDER = Female → Sex | BIRTH_YEAR = 1975 |
		REGISTRATION_DATE = 01/02/2000 | PHONE_NUM = 3035550100 → Phone |
		HOUSE_NUM = 1 → AddressLine1 | HOUSE_SUFFIX = A → AddressLine1 |
		PRE_DIR = N → AddressLine1 | STREET_NAME = ELM → AddressLine1 |
		STREET_TYPE = ST → AddressLine1 | POST_DIR = W → AddressLine1 |
		UNIT_TYPE = APT → AddressLine2 | UNIT_NUM = 2 → AddressLine2 |
		RESIDENTIAL_CITY = DENVER → City | RESIDENTIAL_STATE = CO → StateOrProvince |
		RESIDENTIAL_ZIP_CODE = 80202 → ZipOrPostal | MAIL_ADDR1 = PO BOX 3 ✗ |
		MAIL_ADDR2 = BOULDER CO 80301 ✗ | MAIL_ADDR3 = x ✗ | PRECINCT = 12 | SPLIT = 1 |
		CONGRESSIONAL = Congressional 1 | STATE_SENATE = State Senate 31 |
		STATE_HOUSE = State House 2`,
	// github.com/national-voter-file/national-voter-file, src/python/national_voter_file/us_states/de/transformer.py.
	'Voter file of Delaware': `
		UNIQUE-ID = 100000001 | LAST-NAME = SAMPLE → LastName | FIRST-NAME = ANN → FirstName |
		SUFFIX = JR → Suffix | YEAR-OF-BIRTH = 1975 | HOME-NO = 1 | HOME-APT = 2 |
		HOME-DEV = NORTH WOODS | HOME-STREET = ELM ST ✗ | HOME-CITY = DOVER → City |
		HOME-ZIPCODE = 19901 → ZipOrPostal | MAIL-NO = 3 | MAIL-APT = 4 | MAIL-STR = OAK AVE |
		MAIL-CITY = LEWES ✗ | MAIL-STATE = DE ✗ | MAIL-ZIP = 19958 ✗ | DATE-REG = 20000102 | PARTY = D |
		COUNTY = K | STATUS = A | SCH-DIST = CAPITAL | ED = 1 | RD = 31 | SD = 17 | CNLEVY = 4`,
	// github.com/national-voter-file/national-voter-file, src/main/python/transformers/fl_transformer.py.
	'Voter file of Florida': `
		County Code = ALA | Voter ID = 100000001 | Name Last = SAMPLE → LastName |
		Name Suffix = JR → Suffix | Name First = ANN → FirstName | Name Middle = B → MiddleName |
		Requested public records exemption = N | Residence Address Line 1 = 1 ELM ST → AddressLine1 |
		Residence Address Line 2 = APT 2 → AddressLine2 | Residence City (USPS) = GAINESVILLE → City |
		Residence State = FL → StateOrProvince | Residence Zipcode = 32601 → ZipOrPostal |
		Mailing Address Line 1 = PO BOX 3 ✗ | Mailing Address Line 2 = x ✗ |
		Mailing Address Line 3 = x ✗ | Mailing City = OCALA ✗ | Mailing State = FL ✗ |
		Mailing Zipcode = 34470 ✗ | Mailing Country = US ✗ | Gender = F → Sex | Race = 5 |
		Birth Date = 09/18/1975 → DOB | Registration Date = 01/02/2000 | Party Affiliation = DEM |
		Precinct = 12 | Precinct Group = 0 | Precinct Split = 12.1 | Precinct Suffix = A |
		Voter Status = ACT | Congressional District = 3 | House District = 21 | Senate District = 8 |
		County Commission District = 2 | School Board District = 1 | Daytime Area Code = 352 |
		Daytime Phone = 5550100 ✗ | Daytime Phone Ext = 12 | Email = ann@example.org → Email`,
	// Column map of the voter file of Georgia's Secretary of State ("all 53 columns").
	'Voter file of Georgia': `
		County = FULTON | Voter Registration Number = 01234567 | Status = ACTIVE |
		Status Reason = x | Last Name = SAMPLE → LastName | First Name = ANN → FirstName |
		Middle Name = B → MiddleName | Suffix = JR → Suffix | Birth Year = 1975 |
		Residence Street Number = 1 → AddressLine1 | Residence Pre Direction = N → AddressLine1 |
		Residence Street Name = ELM → AddressLine1 | Residence Street Type = ST → AddressLine1 |
		Residence Post Direction = W → AddressLine1 | Residence Apt Unit Number = 2 → AddressLine2 |
		Residence City = ATLANTA → City | Residence Zipcode = 30303 → ZipOrPostal |
		County Precinct = 01-001 | County Precinct Description = NORTH | Municipal Precinct = 1 |
		Congressional District = 5 | State Senate District = 36 | State House District = 57 |
		Judicial District = ATL | City Council District = 2 | Municipality = ATLANTA | Combo = 12 |
		Land Lot = 1 | Land District = 14 | Registration Date = 01/02/2000 | Race = White |
		Gender = Female → Sex | Last Modified Date = 03/01/2026 | Mailing Street Number = 3 |
		Mailing Street Name = OAK | Mailing Apt Unit Number = 4 | Mailing City = DECATUR ✗ |
		Mailing State = GA ✗ | Mailing Zipcode = 30030 ✗`,
	// From memory: the columns of the qualified voter file.
	'Voter file of Michigan': `
		LAST_NAME = SAMPLE → LastName | FIRST_NAME = ANN → FirstName |
		MIDDLE_NAME = B → MiddleName | NAME_SUFFIX = JR → Suffix | YEAR_OF_BIRTH = 1975 |
		GENDER = F → Sex | REGISTRATION_DATE = 2000-01-02 | STREET_NUMBER_PREFIX = W → AddressLine1 |
		STREET_NUMBER = 1 → AddressLine1 | STREET_NUMBER_SUFFIX = A → AddressLine1 |
		DIRECTION_PREFIX = N → AddressLine1 | STREET_NAME = ELM → AddressLine1 |
		STREET_TYPE = ST → AddressLine1 | DIRECTION_SUFFIX = W → AddressLine1 | EXTENSION = APT 2 ✗ |
		CITY = LANSING → City | STATE = MI → StateOrProvince | ZIP_CODE = 48901 → ZipOrPostal |
		MAILING_ADDRESS_LINE_ONE = PO BOX 3 | MAILING_ADDRESS_LINE_TWO = x | COUNTY_CODE = 33 |
		COUNTY_NAME = INGHAM | JURISDICTION_CODE = 46000 | JURISDICTION_NAME = LANSING CITY |
		PRECINCT = 12 | WARD = 1 | SCHOOL_DISTRICT_CODE = 33020 | VOTER_STATUS_TYPE_CODE = A |
		IS_PERM_AV_BALLOT_VOTER = Y`,
	// github.com/national-voter-file/national-voter-file, src/python/national_voter_file/us_states/nj/transformer.py.
	'Voter file of New Jersey': `
		COUNTY = ESSEX | VOTER ID = 100000001 | LEGACY ID = 12 | LAST NAME = SAMPLE → LastName |
		FIRST NAME = ANN → FirstName | MIDDLE NAME = B → MiddleName | SUFFIX = JR → Suffix |
		STREET NUMBER = 1 → AddressLine1 | SUFF A = A → AddressLine1 | SUFF B = x |
		STREET NAME = ELM ST → AddressLine1 | APT/UNIT NO = 2 → AddressLine2 |
		CITY = NEWARK → City | MUNICIPALITY = NEWARK CITY | ZIP = 07102 → ZipOrPostal |
		DOB = 09/18/1975 → DOB | PARTY CODE = DEM | WARD = 1 | DISTRICT = 12 | STATUS = A |
		CONGRESSIONAL = 10 | LEGISLATIVE = 28 | FREEHOLDER = 1 | SCHOOL = NEWARK |
		REGIONAL SCHOOL = x | FIRE = x`,
	// A script that reads AllNYSVoters files: sourcefile_columns.
	'Voter file of New York': `
		Last Name = SAMPLE → LastName | First Name = ANN → FirstName |
		Middle Name = B → MiddleName | Name Suffix = JR → Suffix |
		Residence House Number = 1 → AddressLine1 |
		Residence Fractional Address = 1/2 → AddressLine1 |
		Resident Pre Street Direction = N → AddressLine1 |
		Residence Street Name = ELM ST → AddressLine1 |
		Residence Post Street Direction = W → AddressLine1 |
		Residence Apartment Type = APT → AddressLine2 | Residence Apartment = 2 → AddressLine2 |
		Not Standard Residential Address = x | Residence City = ALBANY → City |
		Residence Zip Code 5 = 12207 → ZipOrPostal | Zip code plus 4 = 0001 |
		Mailing address 1 = PO BOX 3 ✗ | Mailing Address 2 = ALBANY NY 12201 ✗ |
		Mailing Address 3 = x ✗ | Mailing Address 4 = x | DOB = 19750918 → DOB | Gender = F → Sex |
		Party = DEM | Other Party = x | County Code = 1 | Election District = 12 |
		Legislative District = 3 | Town = ALB ✗ | Ward = 1 | Congressional District = 20 |
		Senate District = 44 | Assembly District = 109 | Last Date Voted = 20241105 |
		Last Year voted = 2024 | Last registered address = 2 OAK AVE |
		Last county voted in = ALBANY | Last registered name = ANN EXAMPLE |
		County Voter Registration number = 12 | Application date = 20000102 |
		Application source = DMV | ID Flag = Y | ID Verification met = Y | Voter status code = A |
		Status reason code = x | Date voter inactive = x | Date voter purged = x |
		Unique NYS voter id = NY000000000000000001 | history = 20241105 GE`,
	// The state's column names, as several readers of ncvoter files check them.
	'Voter file of North Carolina': `
		county_id = 1 | county_desc = WAKE | voter_reg_num = 000000001 | ncid = AA1 |
		last_name = SAMPLE → LastName | first_name = ANN → FirstName | middle_name = B → MiddleName |
		name_suffix_lbl = JR | status_cd = A | voter_status_desc = ACTIVE | reason_cd = AV |
		voter_status_reason_desc = VERIFIED | res_street_address = 1 ELM ST → AddressLine1 |
		res_city_desc = RALEIGH → City | state_cd = NC → StateOrProvince |
		zip_code = 27601 → ZipOrPostal | mail_addr1 = PO BOX 3 ✗ | mail_addr2 = x ✗ | mail_addr3 = x ✗ |
		mail_addr4 = x | mail_city = RALEIGH ✗ | mail_state = NC ✗ | mail_zipcode = 27602 ✗ |
		full_phone_number = 9195550100 → Phone | confidential_ind = N | registr_dt = 01/02/2000 |
		race_code = W | ethnic_code = NL | party_cd = DEM | gender_code = F → Sex | birth_year = 1975 |
		age_at_year_end = 51 | birth_state = NC | drivers_lic = Y | precinct_abbrv = 01-01 |
		precinct_desc = NORTH | municipality_desc = RALEIGH | ward_desc = x | cong_dist_abbrv = 2 |
		nc_senate_abbrv = 16 | nc_house_abbrv = 38 | township_desc = x | school_dist_desc = x`,
	// github.com/adamthepiratex/TMC-Data-Engineering, and a script that names all columns; the elections left out.
	'Voter file of Ohio': `
		SOS_VOTERID = OH0012345678 | COUNTY_NUMBER = 25 | COUNTY_ID = 12 |
		LAST_NAME = SAMPLE → LastName | FIRST_NAME = ANN → FirstName | MIDDLE_NAME = B → MiddleName |
		SUFFIX = JR → Suffix | DATE_OF_BIRTH = 1975-09-18 → DOB | REGISTRATION_DATE = 2000-01-02 |
		VOTER_STATUS = ACTIVE | PARTY_AFFILIATION = D | RESIDENTIAL_ADDRESS1 = 1 ELM ST → AddressLine1 |
		RESIDENTIAL_SECONDARY_ADDR = APT 2 → AddressLine2 | RESIDENTIAL_CITY = COLUMBUS → City |
		RESIDENTIAL_STATE = OH → StateOrProvince | RESIDENTIAL_ZIP = 43004 → ZipOrPostal |
		RESIDENTIAL_ZIP_PLUS4 = 0001 | RESIDENTIAL_COUNTRY = US → CountryCode |
		RESIDENTIAL_POSTALCODE = 43004 ✗ | MAILING_ADDRESS1 = PO BOX 3 ✗ |
		MAILING_SECONDARY_ADDRESS = x ✗ | MAILING_CITY = COLUMBUS ✗ | MAILING_STATE = OH ✗ |
		MAILING_ZIP = 43004 ✗ | MAILING_ZIP_PLUS4 = 0001 | MAILING_COUNTRY = US ✗ |
		MAILING_POSTAL_CODE = 43004 ✗ | CAREER_CENTER = x | CITY = COLUMBUS CITY ✗ |
		CITY_SCHOOL_DISTRICT = COLUMBUS | CONGRESSIONAL_DISTRICT = 3 | COURT_OF_APPEALS = 10 |
		LIBRARY = x | LOCAL_SCHOOL_DISTRICT = x | PRECINCT_NAME = COLS 5-A | PRECINCT_CODE = 25ABC |
		STATE_REPRESENTATIVE_DISTRICT = 1 | STATE_SENATE_DISTRICT = 15 | TOWNSHIP = x | VILLAGE = x |
		WARD = COLS 5`,
	// github.com/national-voter-file/national-voter-file, src/python/national_voter_file/us_states/ut/transformer.py.
	'Voter file of Utah': `
		Voter ID = 100000001 | Last Name = SAMPLE → LastName | First Name = ANN → FirstName |
		Middle Name = B → MiddleName | Name Suffix = JR → Suffix | Status = Active | Absentee = N |
		Registration Date = 01/02/2000 | Party = Unaffiliated | Phone = 8015550100 → Phone |
		DOB = 09/18/1975 → DOB | County ID = 18 | Precinct = SLC001 |
		House Number = 1 → AddressLine1 | House Number Suffix = A → AddressLine1 |
		Direction Prefix = N → AddressLine1 | Street = ELM → AddressLine1 |
		Direction Suffix = W → AddressLine1 | Street Type = ST → AddressLine1 |
		Unit Type = APT → AddressLine2 | Unit Number = 2 → AddressLine2 |
		City = SALT LAKE CITY → City | Zip = 84101 → ZipOrPostal | Mailing Address = PO BOX 3 ✗ |
		Mailing city, state  zip = OGDEN, UT 84401 ✗ | Congressional = 2 | State Senate = 1 |
		State House = 23 | State Schoolboard = 5`,
	// github.com/national-voter-file/national-voter-file, src/python/national_voter_file/us_states/vt/transformer.py.
	'Voter file of Vermont': `
		VoterID = 100000001 | First Name = ANN → FirstName | Last Name = SAMPLE → LastName |
		Middle Name = B → MiddleName | Suffix = JR → Suffix |
		Legal Address Line 1 = 1 ELM ST → AddressLine1 | Legal Address Line 2 = APT 2 → AddressLine2 |
		Legal Address City = BARRE → City | Legal Address State = VT → StateOrProvince |
		Legal Address Zip = 05641 → ZipOrPostal | Mailing Address Line 1 = PO BOX 3 ✗ |
		Mailing Address Line 2 = x ✗ | Mailing Address City = STOWE ✗ | Mailing Address State = VT ✗ |
		Mailing Address Zip = 05672 ✗ | Telephone = 8025550100 → Phone | Year of Birth = 1975 |
		Date of Registration = 01/02/2000 | County = WASHINGTON | Status = ACTIVE |
		School District = BARRE | Senate District = WAV | Voting District = WAS-3`,
	// Readers of the state's voter registration database: "StateVoterID","FName","MName",….
	'Voter file of Washington': `
		StateVoterID = 100000001 | FName = ANN → FirstName | MName = B → MiddleName |
		LName = SAMPLE → LastName | NameSuffix = JR → Suffix | Birthyear = 1975 | Gender = F → Sex |
		RegStNum = 1 → AddressLine1 | RegStFrac = 1/2 → AddressLine1 |
		RegStName = ELM → AddressLine1 | RegStType = ST → AddressLine1 |
		RegUnitType = APT → AddressLine2 | RegStPreDirection = N → AddressLine1 |
		RegStPostDirection = W → AddressLine1 | RegStUnitNum = 2 → AddressLine2 |
		RegCity = SEATTLE → City | RegState = WA → StateOrProvince |
		RegZipCode = 98101 → ZipOrPostal | CountyCode = KI | PrecinctCode = 12 | PrecinctPart = 1 |
		LegislativeDistrict = 43 | CongressionalDistrict = 7 | Mail1 = PO BOX 3 | Mail2 = x |
		Mail3 = x | MailCity = TACOMA ✗ | MailZip = 98401 ✗ | MailState = WA ✗ |
		MailCountry = US ✗ | Registrationdate = 01/02/2000 | LastVoted = 11/05/2024 |
		StatusCode = Active`,
	// A loader of referrers of an Australian adviser: row['First Name'], row['Surname'], row['Suburb'], ….
	'Xplan referrers': `
		Referrer Entity ID = 12 | Network = North | Referrer Code = R12 |
		Referrer Company Name = Example Club | First Name = Ann → FirstName |
		Surname = Sample → LastName | Preferred Name = Annie | Salutation/Greeting = Ms |
		Club President = Bob Example | Club Contact Person = Eve Example |
		Preferred Email = ann@example.org → Email | Preferred Phone = 0291 555 010 → Phone |
		Street = 1 Elm St → AddressLine1 | Suburb = Carlton → City |
		State/Province = VIC → StateOrProvince | Postcode = 3053 → ZipOrPostal |
		Referrer Category = Club | Region = South ✗ | Date Created = 01/03/2026`,
	// From memory, as the six below: lists with short words, and with the same word before most headers.
	'Employees of a bargaining unit': `
		EE ID = 4711 | EE Last Name = Sample → LastName | EE First Name = Ann → FirstName |
		EE MI = B → MiddleName | Home Addr Ln 1 = 1 Elm St → AddressLine1 |
		Home Addr Ln 2 = Apt 2 → AddressLine2 | Home Addr City = Nome → City |
		Home Addr St = AK → StateOrProvince | Home Zip Cd = 99762 → ZipOrPostal |
		Home Tel = 907-555-0100 → Phone | Pers Cell = 907-555-0101 → CellPhone |
		Wk Email = ann@work.example.org → WorkEmail | Pers Email = ann@example.org → Email |
		Work Loc = Bldg 4 | Birth Dt = 9/18/1975 → DOB`,
	'Central labor council': `
		FIRST_NM = ANN → FirstName | LAST_NM = SAMPLE → LastName | MID_INIT = B → MiddleName |
		HOME_ADDR_1 = 1 ELM ST → AddressLine1 | HOME_CITY_NM = NOME → City |
		HOME_STATE_CD = AK → StateOrProvince | HOME_PHN_NBR = 9075550100 → Phone |
		CELL_PHN_NBR = 9075550101 → CellPhone | WORK_PHN_NBR = 9075550102 → WorkPhone |
		EMPLR_NM = EXAMPLE WORKS → EmployerName | GENDER_CD = F → Sex | LOCAL_NBR = 42`,
	'Board nominees': `
		Salut. = Ms. → Title | First = Ann → FirstName | Last = Sample → LastName | Jr/Sr = Jr → Suffix |
		Ofc Ph = 907-555-0102 → WorkPhone | Res Ph = 907-555-0100 → Phone |
		Mob = 907-555-0101 → CellPhone | Email (home) = ann@example.org → Email |
		Email (ofc) = ann@work.example.org → WorkEmail | Asst Ph = 907-555-0103 |
		Asst Email = bob@example.org | Res Addr = 1 Elm St → AddressLine1 | Res City = Nome → City`,
	'Patients of a clinic': `
		MRN = 4711 | Pt Last Name = Sample → LastName | Pt First Name = Ann → FirstName |
		Pt DOB = 09/18/1975 → DOB | Pt Addr 1 = 1 Elm St → AddressLine1 | Pt City = Nome → City |
		Pt Zip = 99762 → ZipOrPostal | Pt Mobile = 907-555-0101 → CellPhone |
		PCP Name = Bob Example | PCP Phone = 907-555-0103`,
	'Payroll with legal names': `
		Legal First Name = Ann → FirstName | Legal Last Name = Sample → LastName |
		Preferred First Name = Annie | Primary Address: City = Nome → City |
		Primary Address: Zip / Postal Code = 99762 → ZipOrPostal |
		Personal Contact: Personal Email = ann@example.org → Email |
		Personal Contact: Home Phone = 907-555-0100 → Phone |
		Emergency Contact: Home Phone = 907-555-0103`,
	'Spanish volunteers with short words': `
		Nombre del voluntario = Ann → FirstName | Apellidos del voluntario = Sample → LastName |
		Tel. de casa = 907-555-0100 → Phone | Tel. móvil = 907-555-0101 → CellPhone |
		Cód. postal = 99762 → ZipOrPostal | Tel. de emergencia = 907-555-0103`,
	// github.com/Voteshield/reggie, reggie/configs/data/arkansas.yaml.
	'Voter file of Arkansas': `
		County = PULASKI | Voter_ID = 1001 | KEY_REGISTRANT = 55 | CDE_REGISTRANT_STATUS = A |
		date_of_birth = 1975-09-18 → DOB | date_of_registration = 2004-10-01 |
		CDE_NAME_TITLE = MS → Title | TEXT_NAME_LAST = SAMPLE → LastName |
		TEXT_NAME_FIRST = ANN → FirstName | TEXT_NAME_MIDDLE = B → MiddleName |
		CDE_NAME_SUFFIX = JR → Suffix | TEXT_REGISTRANT_ADDRESS_NBR = 1 → AddressLine1 |
		CDE_STREET_DIR_PREFIX = N → AddressLine1 | TEXT_STREET_NAME = ELM → AddressLine1 |
		DESC_STREET_TYPE = ST → AddressLine1 | DESC_UNIT_TYPE = APT → AddressLine2 |
		TEXT_RES_UNIT_NUBR = 2 → AddressLine2 | TEXT_RES_CITY = LITTLE ROCK → City |
		CDE_RES_STATE = AR → StateOrProvince | TEXT_RES_ZIP5 = 72201 → ZipOrPostal |
		TEXT_MAIL_ADDRESS1 = PO BOX 5 | TEXT_MAIL_ZIP5 = 72202 | CDE_PARTY = D`,
	// github.com/Voteshield/reggie, reggie/configs/data/new_hampshire.yaml.
	'Voter file of New Hampshire': `
		id_voter = 1001 | nm_last = SAMPLE → LastName | nm_first = ANN → FirstName |
		nm_mid = B → MiddleName | nm_suff = JR → Suffix | cd_party = DEM | ad_num = 1 → AddressLine1 |
		ad_str1 = ELM ST → AddressLine1 | ad_unit = 2 → AddressLine2 | ad_city = KEENE → City |
		ad_st = NH → StateOrProvince | ad_zip5 = 03431 → ZipOrPostal | mail_str1 = PO BOX 5 |
		mail_city = KEENE | mail_st = NH | mail_zip5 = 03431 | ward = 1 | County = CHESHIRE`,
	// github.com/Voteshield/reggie, reggie/configs/data/dc.yaml.
	'Voter file of the District of Columbia': `
		REGISTERED = 2004-10-01 | LASTNAME = SAMPLE → LastName | FIRSTNAME = ANN → FirstName |
		MIDDLE = B → MiddleName | SUFFIX = JR → Suffix | STATUS = A | PARTY = DEM |
		RES_HOUSE = 1 → AddressLine1 | RES_FRAC = 1/2 → AddressLine1 | RES_APT = 2 → AddressLine2 |
		RES STREET = ELM ST NW → AddressLine1 | RES_CITY = WASHINGTON → City |
		RES_STATE = DC → StateOrProvince | RES_ZIP = 20001 → ZipOrPostal | PRECINCT = 3 | WARD = 1 |
		ANC = 1A`,
	// ocvote.com/vi/data/purchase-voter-data/included-voter-data; without two columns that are lost.
	'Voter file of Orange County': `
		lVoterUniqueID = 1001 | sAffNumber = 22 | szNameLast = Sample → LastName |
		szNameFirst = Ann → FirstName | szNameMiddle = B → MiddleName | szNameSuffix = Jr → Suffix |
		szSitusAddress = 1 Elm St → AddressLine1 | szSitusCity = Orange → City |
		szSitusState = CA → StateOrProvince | szSitusZip = 92866 → ZipOrPostal |
		szMailAddress1 = PO Box 5 | szMailZip = 92867 | szPhone = 7145550100 → Phone |
		szEmailAddress = ann@example.org → Email | dtBirthDate = 1975-09-18 → DOB | sBirthPlace = CA |
		dtRegDate = 2004-10-01 | sStatusCode = A`,
	// github.com/ve2caz/bmwmcottawa-analytics, references/01-ActiveMembersExtra-Schema.md.
	'Members of a motorcycle club': `
		member_number = 12 | first_name = Ann → FirstName | last_name = Sample → LastName |
		primary_email = ann@example.org → Email | address1 = 1 Elm St → AddressLine1 |
		address2 = Apt 2 → AddressLine2 | city = Ottawa → City | state = ON → StateOrProvince |
		zip = K1A 0B1 → ZipOrPostal | country = CA → CountryCode | phone = 6135550100 → Phone |
		cell_phone = 6135550101 → CellPhone | fax = 6135550102 | login_name = asample |
		middle_initial = B → MiddleName | nickname = Annie | alt_address1 = 2 Oak Ave |
		alt_city = Hull | alt_state = QC | alt_zip = J8X 0A1 | alt_country = CA`,
	// A gym's uploader, in code on GitHub: "State/Prov,Zip/Postal,Tags".
	'GymSales leads': `
		First Name = Ann → FirstName | Last Name = Sample → LastName |
		Mobile Phone = 9075550101 → CellPhone | Home Phone = 9075550100 → Phone |
		Work Phone = 9075550102 → WorkPhone | Email = ann@example.org → Email |
		Address = 1 Elm St → AddressLine1 | City = Nome → City | State/Prov = AK → StateOrProvince |
		Zip/Postal = 99762 → ZipOrPostal | Tags = vip | Notes = none | Marketing Source = Facebook |
		Contact Method = Walk-in | Created Date = 2026-09-01 | Status = Enquiry | Salesperson = Sam |
		External ID = X1 | SMS Opted Out = No | Email Opted Out = No`,
	// A template in code on GitHub: "Street Address,Apt or Suite".
	'Greeting card contacts': `
		First Name = Ann → FirstName | Last Name = Sample → LastName |
		Street Address = 1 Elm St → AddressLine1 | Apt or Suite = Apt 2 → AddressLine2 |
		City = Nome → City | State = AK → StateOrProvince | ZIP Code = 99762 → ZipOrPostal |
		Relationship = Client | Occasion Type = Birthday | Occasion Date (MM/DD) = 04/18`,
	// An export in code on GitHub: "Participation Couple".
	'Members in Quebec': `
		Numéro membre = 12 | Participation Couple = Non | Sexe = F → Sex | Prénom = Anne → FirstName |
		Nom = Exemple → LastName | Numéro Civique = 1 → AddressLine1 |
		Rue = rue des Ormes → AddressLine1 | Appartement = 2 → AddressLine2 |
		Code Postal = G1A 0A1 → ZipOrPostal | Téléphone = 4185550100 → Phone | Ville = Québec → City |
		Région = Capitale | Province = QC → StateOrProvince | Pays = CA → CountryCode |
		Adresse courriel personnelle = anne@example.org → Email | Jour de naissance = 18 |
		Mois de naissance = 9 | Date de naissance = 1975-09-18 → DOB | Âge = 50 | Mot de passe = x`,
	// A query in code on GitHub: "CANAL_PA_WELCOME_CALL".
	'Subscribers of a French channel': `
		Abonné = 12 | Civilité = Mme → Title | NOM = EXEMPLE → LastName | PRENOM = ANNE → FirstName |
		FORMULE = A | Tél. domicile 1 = 0155550100 → Phone | Tél. bureau 1 = 0155550102 → WorkPhone |
		Tél. mobile 1 = 0655550101 → CellPhone | EMAIL = anne@example.org → Email |
		Adresse 1 = 1 RUE DES ORMES → AddressLine1 | Adresse 2 = BAT C → AddressLine2 |
		Adresse 3 = ETAGE 2 → AddressLine3 | VILLE = PARIS → City | PAYS = FR → CountryCode`,
	// An export in code on GitHub: "Portable;Email;Date Anniversaire".
	'Clients of a French salon': `
		Civilité = Mme → Title | Nom = Exemple → LastName | Prénom = Anne → FirstName |
		Adresse = 1 rue des Ormes → AddressLine1 | Code Postal = 75001 → ZipOrPostal |
		Ville = Paris → City | Téléphone = 0155550100 → Phone | Portable = 0655550101 → CellPhone |
		Email = anne@example.org → Email | Date Anniversaire = 1975-09-18 → DOB`,
	// An export in code on GitHub: "Email Corporativo,Email Personal".
	'Spanish people with two addresses': `
		RUT = 1-9 | Nombre = Ana → FirstName | Apellido Paterno = Ejemplo → LastName |
		Email Corporativo = ana@example.net → WorkEmail | Email Personal = ana@example.org → Email |
		Teléfono = 5055550100 → Phone | Perfil = admin | Estado = Activo | Fecha Ingreso = 2020-01-01`,
	// github.com/kevin15sandoval/web-Mongrua, ORDEN-CORRECTO-EXCEL.md.
	'Spanish companies to call': `
		SECTOR = Salud | EMPRESA = Ejemplo SL → EmployerName | CONTACTO = Ana Ejemplo |
		TELÉFONO = 5055550100 → Phone | CORREO = ana@example.org → Email | POBLACIÓN = Toledo → City |
		OBSERVACIONES = none`,
	// teacherweb.com/CA/CupertinoFremont/CFCPTA/uploadinfo.html.
	'Members of a PTA': `
		PTA Local Unit ID Number = 00001234 | Name Prefix = Ms. → Title | First Name = Ann → FirstName |
		Middle Name = Marie → MiddleName | Last Name = Sample → LastName | Name Suffix = Jr. → Suffix |
		Address_1 = 1 Elm St → AddressLine1 | Address_2 = Apt 2 → AddressLine2 | Address_3 = Rear → AddressLine3 |
		City = Nome → City | State = AK → StateOrProvince | ZIP Code = 99762 → ZipOrPostal |
		Home Telephone Area Code = 907 | Home Telephone = 555-0100 | Work Telephone Area Code = 907 |
		Work Telephone = 555-0101 | Fax Number Area Code = 907 | Fax Number = 555-0102 |
		E-mail = ann@example.org → Email | Position = Member | Begin Date = 9/1/2025 | End Date = 8/31/2026`,
	// support.futurefund.com/connect/district-council/dc-board-members.
	'Board of a district': `
		First Name = Ann → FirstName | Last Name = Sample → LastName | Email = ann@example.org → Email |
		Phone = 907-555-0100 → Phone | Position = Treasurer | Address = 1 Elm St → AddressLine1 |
		City = Nome → City | State = AK → StateOrProvince | Postal Code = 99762 → ZipOrPostal`,
	// Readers of orders: "Name,Email,Financial Status,Paid at,…,Billing Name,Billing Street,Billing Address1,…".
	'Shopify orders': `
		Name = #1001 | Email = ann@example.org → Email | Financial Status = paid |
		Paid at = 2026-03-01 10:00:00 | Fulfillment Status = fulfilled | Accepts Marketing = yes |
		Currency = USD | Subtotal = 30 | Shipping = 0 | Total = 30 | Discount Code = SUMMER10 |
		Shipping Method = Standard | Created at = 2026-03-01 10:00:00 | Lineitem quantity = 1 |
		Lineitem name = Shirt | Lineitem price = 30 | Billing Name = Ann Sample |
		Billing Street = 1 Elm St, Apt 2 ✗ | Billing Address1 = 1 Elm St → AddressLine1 |
		Billing Address2 = Apt 2 → AddressLine2 | Billing Company = Example Works |
		Billing City = Nome → City | Billing Zip = 99762 → ZipOrPostal |
		Billing Province = AK → StateOrProvince | Billing Country = US → CountryCode |
		Billing Phone = 9075550100 → Phone | Shipping Name = Bob Example | Shipping Street = 2 Oak Ave |
		Shipping Address1 = 2 Oak Ave | Shipping City = Juneau | Shipping Zip = 99801 |
		Shipping Province = AK | Shipping Country = US`,
	// developers.cvent.com/docs/legacy-api/soap-api/object-definitions/contact_objects/contact.
	'Cvent contacts': `
		SourceId = 12 | FirstName = Ann → FirstName | LastName = Sample → LastName |
		EmailAddress = ann@example.org → Email | CCEmailAddress = eve@example.org |
		Company = Example Works → EmployerName | Title = Operations Manager ✗ | ContactType = Member |
		ContactTypeCode = M | Salutation = Ms. → Title | Nickname = Annie |
		MiddleName = B → MiddleName | Designation = CPA | Active = true | ExcludedFromEmail = false |
		LastOptOutBy = x | OptedIn = true | CreatedDate = 2026-03-01 | CreatedBy = Bob Example |
		EmailAddressStatus = Valid | PrimaryAddressType = Home |
		HomeAddress1 = 1 Elm St → AddressLine1 | HomeAddress2 = Apt 2 → AddressLine2 |
		HomeAddress3 = Box 3 → AddressLine3 | HomeCity = Nome → City |
		HomeState = Alaska → StateOrProvince | HomeStateCode = AK ✗ |
		HomePostalCode = 99762 → ZipOrPostal | HomeCountry = United States ✗ |
		HomeCountryCode = US → CountryCode | HomePhone = 9075550100 → Phone | HomeFax = 9075550103 |
		WorkAddress1 = 3 Pine Rd | WorkCity = Juneau | WorkState = Alaska | WorkStateCode = AK`,
	// paperzz.com/doc/8627920, Candidate Export File Layout with Instructions.
	'Voter list of Levy County': `
		VoterID = 1001 | Voter_Name = SAMPLE, ANN B | Last_Name = SAMPLE → LastName |
		First_Name = ANN → FirstName | Middle_Name = B → MiddleName |
		Formatted_Address = 1 ELM ST → AddressLine1 | City_State = BRONSON, FL | Zip_Country = 32621 |
		Party = DEM | Sex = F → Sex | Phone = 3525550100 → Phone | Precinct = 3`,
	// A test in code on GitHub: "Firm name,Job tile".
	'Patent practitioners': `
		Last name = Sample → LastName | First name = Ann → FirstName | Middle name = B → MiddleName |
		Suffix = Jr. → Suffix | Firm name = Example Law → EmployerName |
		Address = 1 Elm St → AddressLine1 | City = Fresno → City | State = CA → StateOrProvince |
		Country = US → CountryCode | Phone number = 5595550100 → Phone | Registration number = 76269 |
		Status = AGENT`,
	// github.com/phili67/ecclesiacrm, Documentation/doc-fr/docs/user-guide/doc-tools/doc-import.md.
	'Families of a French parish': `
		Titre = Mme → Title | Prénom = Anne → FirstName | deuxième prénom = Marie → MiddleName |
		Le nom = Exemple → LastName | le genre = F → Sex | Enveloppe de don = 14 |
		Adresse1 = 1 rue des Ormes → AddressLine1 | Adresse2 = Bât. C → AddressLine2 |
		Ville = Lyon → City | Code postal = 69001 → ZipOrPostal | Pays = FR → CountryCode |
		Le téléphone personnel = 0455550100 → Phone |
		Le téléphone professionel = 0455550102 → WorkPhone |
		Le téléphone portable = 0655550101 → CellPhone | email = anne@example.org → Email |
		la date de naissance = 1975-09-18 → DOB | La date de mariage = 2000-05-20`,
	// An export in code on GitHub: "Macro Sector,Potencial de Lead".
	'Spanish leads of a lender': `
		Nombre(s) = Ana → FirstName | Apellido Paterno = Ejemplo → LastName |
		Nombre Empresa = Ejemplo SA → EmployerName | Régimen Fiscal = Física |
		Correo Electrónico = ana@example.org → Email | Móvil = 5055550101 → CellPhone |
		Teléfono de Oficina = 5055550102 → WorkPhone | Teléfono de casa = 5055550100 → Phone |
		Origen = web | Zona geográfica = norte | Puesto = Enfermera → OccupationName |
		Nombre de Usuario Asignado = Bob Prueba`,
	// mathcraft.freshdesk.com/support/solutions/articles/12000084355-personnel-data-import-december-2021.
	'Personnel of a facility': `
		SSN = 123-45-6789 | First Name = Ann → FirstName | Last Name = Sample → LastName |
		Facility Code = NOME-1 | Login ID = asample | Middle Name Initial = M → MiddleName |
		Suffix = Jr → Suffix | Prefix = Ms. → Title | Nickname = Annie | Employee Number = 20412 |
		E-Mail = ann@example.org → Email | Status = Active | Type = Employee`,
	// support.vomevolunteer.com/portal/en/kb/articles/how-should-i-format-my-fields-to-successfully-upload-them-to-my-database.
	'Vome volunteers': `
		Email* = ann@example.org → Email | First Name* = Ann → FirstName | Last Name* = Sample → LastName |
		Phone Number = 9075550100 → Phone | Profile picture = https://example.org/ann.png |
		Date of Birth = 1975-09-18 → DOB | Gender = 1 ✗ | Gender Text = Genderfluid | Occupation = 1 ✗ |
		Organization = Example University → EmployerName | Address = 1 Elm St, Nome, AK 99762, USA ✗ |
		Emergency Contact (Name) = Bob Example | Emergency Contact (Phone) = 9075550109`,
	// webfiles-sc1.blackbaud.com/files/support/helpfiles/crm-db/content/ufn_amproimport_constituentdata.html.
	'Constituents of an auction': `
		MAPPINGID = 12 | LOOKUPID = 8-1001 | TITLE = Ms. → Title | FIRSTNAME = Ann → FirstName | KEYNAME = Sample |
		ADDRESSBLOCK = 1 Elm St → AddressLine1 | CITY = Nome → City | POSTCODE = 99762 → ZipOrPostal |
		STATE = AK → StateOrProvince | COUNTRY = United States ✗ | PHONE = 9075550100 → Phone |
		EMAILADDRESS = ann@example.org → Email | STATEID = a1b2c3d4 | COUNTRYID = d4c3b2a1`,
	// uschamber.com/federation/partners/roster.htm: the required fields.
	'Roster of a chamber of commerce': `
		Member ID = 12 | Contact prefix = Ms. → Title | Contact first name = Ann → FirstName |
		Contact middle name = B → MiddleName | Contact last name = Sample → LastName |
		Contact job title = Manager → OccupationName | Company name = Example Works → EmployerName |
		Street # and name = 1 Elm St → AddressLine1 | Street extra line = Suite 4 → AddressLine2 |
		City = Nome → City | State = AK → StateOrProvince | ZIP = 99762 → ZipOrPostal | ZIP extension = 1234 |
		Phone = 9075550100 → Phone | Fax = 9075550103 | Email = ann@example.org → Email`,
};
