/**
 * Columns of public exports and templates: after each source the place that shows its headers; each line
 * `header = value → field`, `header = value ✗` for a column that only looks like one, and the header
 * alone where it feeds nothing. All values are invented.
 */
export const learnedLists: Record<string, string> = {
	// Standard list columns, as github.com/blytheaw and others rename them: Votebuilder exports.
	'VAN list': `
		Voter File VANID = 100001
		LastName = Sample → LastName
		FirstName = Ann → FirstName
		MiddleName = B → MiddleName
		Suffix = Jr → Suffix
		Sex = F → Sex
		Party = D
		Age = 47
		mAddress = 1 Elm St ✗
		mCity = Nome ✗
		mState = AK ✗
		mZip5 = 99762 ✗
		vAddress = 2 Oak Ave → AddressLine1
		vCity = Nome → City
		vState = AK → StateOrProvince
		vZip5 = 99762 → ZipOrPostal
		Pref Phone = 907-555-0100 → Phone
		Cell Phone = (907) 555-0101 → CellPhone
		DOB = 9/18/1975 → DOB
		PrecinctName = North 2
		Action = Attempted`,
	'EveryAction export': `
		VANID = 100002 → VanID
		Contact Name = Ann Sample
		First = Ann → FirstName
		Last = Sample → LastName
		Preferred Email = ann@example.org → Email
		Preferred Phone = 9075550100 → Phone
		Home Phone Opt In Status = Unknown
		Address = 1 Elm St → AddressLine1
		City = Nome → City
		State/Province = AK → StateOrProvince
		Zip/Postal = 99762 → ZipOrPostal
		Country = US → CountryCode
		Employer = Example Works → EmployerName
		Occupation = Engineer → OccupationName
		Date Created = 3/1/2026
		DoNotUpdateBest = Y`,
	// Contributions: github.com/community-tech-alliance/airbyte-source-actblue.
	ActBlue: `
		Receipt ID = AB1234
		Date = 2026-03-01 10:00:00
		Amount = 25.00
		Donor First Name = Ann → FirstName
		Donor Last Name = Sample → LastName
		Donor Addr1 = 1 Elm St → AddressLine1
		Donor Addr2 = Apt 2 → AddressLine2
		Donor City = Nome → City
		Donor State = AK → StateOrProvince
		Donor ZIP = 99762 → ZipOrPostal
		Donor Country = United States ✗
		Donor Occupation = Engineer → OccupationName
		Donor Employer = Example Works → EmployerName
		Donor Email = ann@example.org → Email
		Donor Phone = 9075550100 → Phone
		Employer City = Juneau
		Fundraiser Contact Email = bob@example.org
		Mobile = false ✗
		Text Message Opt In = unknown
		Shipping Addr1 = 2 Oak Ave`,
	// Fields of Contact: github.com/api-evangelist/salesforce-sales-cloud.
	Salesforce: `
		Id = 0035e00000XyZab
		Salutation = Ms. → Salutation
		Title = VP of Sales ✗
		FirstName = Ann → FirstName
		LastName = Sample → LastName
		Name = Ann Sample
		Email = ann@example.org → Email
		Phone = (907) 555-0100 → Phone
		MobilePhone = (907) 555-0101 → CellPhone
		HomePhone = (907) 555-0102 ✗
		Birthdate = 1975-09-18 → DOB
		MailingStreet = 1 Elm St → AddressLine1
		MailingCity = Nome → City
		MailingState = AK → StateOrProvince
		MailingPostalCode = 99762 → ZipOrPostal
		MailingCountry = US → CountryCode
		OtherStreet = 2 Oak Ave
		HasOptedOutOfEmail = false`,
	// Ohio's voter file: github.com/adamthepiratex/TMC-Data-Engineering and others.
	'Voter file of Ohio': `
		SOS_VOTERID = OH0012345678
		COUNTY_NUMBER = 25
		LAST_NAME = SAMPLE → LastName
		FIRST_NAME = ANN → FirstName
		MIDDLE_NAME = B → MiddleName
		SUFFIX = JR → Suffix
		DATE_OF_BIRTH = 1975-09-18 → DOB
		REGISTRATION_DATE = 2000-01-02
		VOTER_STATUS = ACTIVE
		PARTY_AFFILIATION = D
		RESIDENTIAL_ADDRESS1 = 1 ELM ST → AddressLine1
		RESIDENTIAL_SECONDARY_ADDR = APT 2 → AddressLine2
		RESIDENTIAL_CITY = COLUMBUS → City
		RESIDENTIAL_STATE = OH → StateOrProvince
		RESIDENTIAL_ZIP = 43004 → ZipOrPostal
		MAILING_ADDRESS1 = PO BOX 3 ✗
		MAILING_CITY = COLUMBUS ✗
		MAILING_ZIP = 43004 ✗
		PRECINCT_NAME = COLS 5-A
		CITY_SCHOOL_DISTRICT = COLUMBUS`,
	// Orders: a sample in github.com (Squarespace, "Washed Colombian").
	Squarespace: `
		Order ID = 00012
		Email = ann@example.org → Email
		Financial Status = PAID
		Paid at = 2026-03-01 10:00
		Total = 30
		Lineitem name = Shirt
		Billing Name = Ann Sample
		Billing Address1 = 1 Elm St → AddressLine1
		Billing Address2 = Apt 2 → AddressLine2
		Billing City = Nome → City
		Billing Zip = 99762 → ZipOrPostal
		Billing Province = AK → StateOrProvince
		Billing Country = US → CountryCode
		Billing Phone = 9075550100 → Phone
		Shipping Address1 = 2 Oak Ave
		Shipping City = Juneau`,
	// Headers of Spanish forms: "Marca temporal,Nombre,Apellido,…" of Google Forms.
	'Google Forms in Spanish': `
		Marca temporal = 13/06/2026 10:00:00
		Nombre = Ana → FirstName
		Apellido = Ejemplo → LastName
		Dirección de correo electrónico = ana@example.org → Email
		Teléfono celular = 907 555 0101 → CellPhone
		Fecha de nacimiento = 18/9/1975 → DOB
		Código postal = 99762 → ZipOrPostal
		Membresía = Sí`,
	// Contact export: column lists in github.com scripts that clean such files ("City - Home").
	'Constant Contact': `
		First name = Ann → FirstName
		Last name = Sample → LastName
		Company = Example Works → EmployerName
		Job title = Engineer → OccupationName
		Email address - home = ann@example.org → Email
		Email status - home = Active
		Email permission status - home = Implicit
		Email address - other = ann2@example.org → OtherEmail
		Email address - work = ann@work.example.org → WorkEmail
		Phone - fax = 9075550103
		Phone - home = 9075550100 → Phone
		Phone - mobile = 9075550101 → CellPhone
		Phone - work = 9075550102 → WorkPhone
		Street address line 1 - Home = 1 Elm St → AddressLine1
		City - Home = Nome → City
		State/Province - Home = AK → StateOrProvince
		Zip/Postal Code - Home = 99762 → ZipOrPostal
		Country - Home = US → CountryCode
		Street address line 1 - Home 2 = 2 Oak Ave
		City - Home 2 = Juneau
		City - Work = Juneau
		Zip/Postal Code - Work = 99801
		Website = example.org
		Email Lists = News
		Created At = 2026-03-01`,
	'Survey questions': `
		Timestamp = 3/1/2026 10:00:00
		What is your first name? = Ann → FirstName
		What is your last name? (required) = Sample → LastName
		What is your ZIP code? = 99762 → ZipOrPostal
		Birthday (optional) = 9/18/1975 → DOB
		Your email address * = ann@example.org → Email
		Please enter your cell phone number = 907-555-0101 → CellPhone
		How did you hear about us? = A friend`,
};

/** Sources that the table was not made from: they are the test. */
export const unseenLists: Record<string, string> = {
	// Exports with contact questions, after headers in github.com tests of attendance sheets.
	'Microsoft Forms': `
		ID = 1
		Start time = 9/9/26 18:01
		Completion time = 9/9/26 18:02
		Email = anonymous ✗
		Name = Anonymous
		Your email address = ann@example.org → Email
		First name = Ann → FirstName
		Last name = Sample → LastName
		I agree to the terms = Yes`,
	// Help pages of GetThru: first name, last name and phone are its standard fields.
	ThruText: `
		first_name = Ann → FirstName
		last_name = Sample → LastName
		phone = 19075550100 → Phone
		opted_out = false
		campaign_name = Spring`,
	// rumbleup.readme.io/reference/csv-file-format.
	RumbleUp: `
		phone = 19075550100 → Phone
		first_name = Ann → FirstName
		email = ann@example.org → Email
		url = https://example.org
		source = Rally
		custom1 = x`,
	// docs.tuco.ai/features/upload-leads.
	'Lead upload': `
		firstName = Ann → FirstName
		lastName = Sample → LastName
		email = ann@example.org → Email
		phone = +19075550100 → Phone
		altPhone1 = +19075550102
		companyName = Example Works → EmployerName
		jobTitle = Engineer → OccupationName
		linkedinUrl = https://example.org/ann
		notes = Met in May`,
	// Headers of an attendee parser's tests: Audience Republic.
	'Audience Republic': `
		Email Address = ann@example.org → Email
		First Name = Ann → FirstName
		Last Name = Sample → LastName
		Mobile Number = +1 907-555-0101 → CellPhone
		Country = US → CountryCode
		State = AK → StateOrProvince
		City = Nome → City
		Postcode = 99762 → ZipOrPostal
		Date of Birth = 1975-09-18 → DOB
		Gender = Female → Sex
		Email Opt-In = true
		SMS Opt-In = false
		Tags = a; b`,
	// github.com/blitz003/tamu_selfless_service_project, constants.py.
	'Donor database': `
		Title = Mrs. → Title
		First Name = Ann → FirstName
		Middle Name = B → MiddleName
		Last Name = Sample → LastName
		Suffix = III → Suffix
		Organization = Example Works → EmployerName
		Home Address = 1 Elm St → AddressLine1
		Home City = Nome → City
		Home State = AK → StateOrProvince
		Home Zip Code = 99762 → ZipOrPostal
		Phone1 = 9075550100 → Phone
		Phone2 = 9075550102
		Email = ann@example.org → Email
		Date = 3/1/2026
		Amount = 25
		Campaign = Spring`,
	// Headers of a contact export in github.com tests ("Created At (UTC+0)").
	Wix: `
		First Name = Ann → FirstName
		Last Name = Sample → LastName
		Email 1 = ann@example.org → Email
		Email 2 = ann2@example.org → OtherEmail
		Phone 1 = +1 907-555-0100 → Phone
		Phone 2 = +1 907-555-0102
		Address 1 - Type = Home
		Address 1 - Street = 1 Elm St → AddressLine1
		Address 1 - City = Nome → City
		Address 1 - State/Region = AK → StateOrProvince
		Address 1 - Zip = 99762 → ZipOrPostal
		Address 1 - Country = US → CountryCode
		Address 2 - Street = 2 Oak Ave
		Address 2 - City = Juneau
		Company = Example Works → EmployerName
		Labels = Member
		Created At (UTC+0) = 2026-03-01 10:00
		Email subscriber status = subscribed
		Language = en`,
	// Header rows of Eventbrite and Meetup in tests of an attendance reader.
	Eventbrite: `
		Order No. = 1098765432
		Order Date = 2026-08-01 10:15:00
		First Name = Ann → FirstName
		Last Name = Sample → LastName
		Email = ann@example.org → Email
		Quantity = 1
		Ticket Type = General Admission
		Event Name = Rally
		Buyer First Name = Bob
		Buyer Last Name = Sample
		Buyer Email = bob@example.org`,
	Meetup: `
		Name = Ann Sample
		User ID = 112233445
		Title = Member
		RSVP = Yes
		Guests = 0
		RSVPed on = 2026-07-28 14:22:11
		Event Host = No`,
	// Column names of North Carolina's public voter file.
	'Voter file of North Carolina': `
		county_id = 1
		voter_reg_num = 000000001
		last_name = SAMPLE → LastName
		first_name = ANN → FirstName
		middle_name = B → MiddleName
		name_suffix_lbl = JR
		full_phone_number = 9195550100 → Phone
		res_street_address = 1 ELM ST → AddressLine1
		res_city_desc = RALEIGH → City
		state_cd = NC → StateOrProvince
		zip_code = 27601 → ZipOrPostal
		mail_addr1 = PO BOX 3 ✗
		mail_city = RALEIGH ✗
		mail_state = NC ✗
		mail_zipcode = 27602 ✗
		gender_code = F → Sex
		birth_year = 1975
		precinct_desc = NORTH`,
	// Contact templates of French clubs and schools: "Nom,Prénom,Téléphone,Email".
	'French list': `
		Nom = Exemple → LastName
		Prénom = Anne → FirstName
		Date de naissance = 18/09/1975 → DOB
		Adresse = 1 rue des Ormes → AddressLine1
		Code postal = 75001 → ZipOrPostal
		Ville = Paris → City
		Téléphone = 01 99 00 12 34 → Phone
		Courriel = anne@example.org → Email
		Groupes = A`,
	// Registration lists of Spanish schools: "Nombres,Apellidos,…,Correo electrónico,Teléfono".
	'Spanish list': `
		Tipo de asistente = acudiente
		Nombres = Ana → FirstName
		Apellidos = Ejemplo → LastName
		Número de documento = 123456789
		Correo electrónico = ana@example.org → Email
		Teléfono = 907 555 0100 → Phone
		Dirección = Calle Olmo 1 → AddressLine1
		Ciudad = Nome → City
		Empresa = Obras Ejemplo → EmployerName
		Cargo = Ingeniera → OccupationName`,
};
